"""Programs for the people who work on redraft; `make` starts them."""
