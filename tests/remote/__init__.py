"""Tests of the doors: SSH, sftp, and the browser."""
