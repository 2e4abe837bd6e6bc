"""`python -m redraft`: the command line."""

from redraft.command_line import main

if __name__ == "__main__":
    raise SystemExit(main())
