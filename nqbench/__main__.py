"""The entry point of the command `nqbench` and of `python -m nqbench`. It handles Ctrl-C from the
first import on.
"""

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> "NoReturn":
    """Run the command and exit."""
    try:
        from nqbench.cli import run

        sys.exit(run())
    except KeyboardInterrupt:  # during the imports, or on the way out
        print("nqbench: interrupted", file=sys.stderr)
        if "--json" in sys.argv[1:]:
            print('{"error": "interrupted"}')
        sys.exit(130)
    finally:
        if interrupts := sys.modules.get("nqbench.util.interrupts"):
            interrupts.ignore_repeated()
        gc.freeze()  # else Python searches all objects for garbage several times as it ends


if __name__ == "__main__":
    main()
