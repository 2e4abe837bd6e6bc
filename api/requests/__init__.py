"""What clients send, read and checked: fields, bodies, file names."""
