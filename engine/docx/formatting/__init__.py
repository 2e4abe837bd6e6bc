"""Properties: what holds in the end, tracked changes of it, styles and lists made on demand."""
