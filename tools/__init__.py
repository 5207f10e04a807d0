"""Set-up: what the Makefile calls before anything of the guide runs."""
