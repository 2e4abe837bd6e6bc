"""Worker processes that open untrusted files, and what confines them."""
