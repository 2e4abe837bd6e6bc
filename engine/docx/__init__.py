"""WordprocessingML: packages, stories, the redline."""
