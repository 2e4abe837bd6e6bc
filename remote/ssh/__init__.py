"""`redraft ssh-serve`: the terminal program and the documents over SSH."""
