"""The panes of the main screen and the views they are built from."""
