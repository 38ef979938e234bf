"""`python -m vestigia.cli`: the command line where the installed command is not on the path."""

from vestigia.cli.commands import main

if __name__ == "__main__":
    main()
