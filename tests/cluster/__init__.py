"""Several processes on one PostgreSQL database, killed, paused and cut off."""
