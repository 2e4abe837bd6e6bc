"""The HTTP server around the routes: connections, middleware, rate limits."""
