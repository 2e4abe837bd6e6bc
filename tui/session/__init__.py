"""What the program knows of the service, the documents and the edits under way; no widgets."""
