"""Who may do what: API keys and signed download links."""
