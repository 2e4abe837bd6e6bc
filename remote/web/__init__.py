"""`redraft web`: the terminal program in a browser of this machine."""
