"""The HTTP client: requests, responses, failures, and the service of this machine."""
