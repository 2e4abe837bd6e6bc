"""Commands for operators: `redraft serve|keys|doctor|config|gc`."""
