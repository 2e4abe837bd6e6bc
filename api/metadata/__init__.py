"""What is known of documents, operations and keys."""
