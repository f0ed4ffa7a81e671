"""The program: `rigidlimit COMMAND` and `python -m rigidlimit COMMAND`, in the process of Python."""

import os
import signal
import sys

from . import _core


def main() -> int:
    """Run the command line and return its exit status."""
    # As in a program without Python: Ctrl-C and a closed pipe end it, except where the commands handle them. A shell
    # starts background jobs with SIGINT ignored, which stays so.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.environ.setdefault("RIGIDLIMIT_PYTHON", sys.executable)  # `rigidlimit report` draws in this environment
    name = sys.argv[0] if os.path.basename(sys.argv[0]) != "__main__.py" else "rigidlimit"
    return _core.run_command_line([name, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
