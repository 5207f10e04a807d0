"""A model from what a reader has at hand: a config, a file's header or a command line. Text or bytes in, a record out."""
