"""Entry point: what has to start at once is done here, the rest by the command-line interface."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Runs the command in `sys.argv` and returns its exit status."""
    from stratumc.cli.guard import guarded

    return guarded(_run)


def _run() -> int:
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        from stratumc import __version__

        sys.stdout.write(f"stratumc {__version__}\n")
        return 0
    if arguments[:1] == ["check"]:
        # Trees and findings live until the end and have no circles: looking for such finds nothing.
        gc.set_threshold(50_000, 20, 100)
        from stratumc.cli.plain import read_plainly

        request = read_plainly(arguments[1:])
        if request is not None:
            from stratumc.cli.check_run import run_check

            return run_check(request)
    from stratumc.cli.app import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
