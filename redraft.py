"""The front door."""


def main() -> int:
    """Run."""
    return 0
