"""What `make check` looks at in a built site and in its Chinese text. Each module: something built in, `Problem`s out."""
