"""ROOM 5 - turns the other rooms into the site, the offline bundle and the command line. All input and output is here."""
