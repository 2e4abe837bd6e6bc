"""The service: routes, auth, queue, metadata, files, expiry."""
