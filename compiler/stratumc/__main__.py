"""Entry point: what has to start at once is done here, the rest by the command-line interface."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the command in `sys.argv` and returns its exit status."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        from stratumc import __version__

        sys.stdout.write(f"stratumc {__version__}\n")
        return 0
    from stratumc.cli.guard import guarded

    return guarded(_check_plainly if _is_plain_check(arguments) else _run_command)


def _is_plain_check(arguments: list[str]) -> bool:
    """Whether it is a check of paths without a single option, which needs no parser of options."""
    return arguments[:1] == ["check"] and not any(argument.startswith("-") for argument in arguments[1:])


def _check_plainly() -> int:
    from stratumc.cli.check_run import CheckRequest, run_check

    return run_check(CheckRequest(paths=tuple(sys.argv[2:])))


def _run_command() -> int:
    from stratumc.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
