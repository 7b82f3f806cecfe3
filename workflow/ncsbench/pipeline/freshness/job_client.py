"""Client that asks the job server for a job and ends as the job does.

It runs ``ncsbench`` with the arguments given, by the server (``job_server``), or by Python where no
server answers. It imports nothing of the library, to start quickly.
"""

import json
import os
import signal
import socket  # noqa: TID251  (of this machine, for its owner)
import sys


def main() -> None:
    """Ask for the job of this process's arguments, folder, environment and streams."""
    arguments = sys.argv[1:]
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(os.environ["NCSBENCH_JOBS"])
        except OSError:
            os.execvp("python", ["python", "-m", "ncsbench", *arguments])  # noqa: S606, S607
        request = {
            "arguments": arguments,
            "folder": os.getcwd(),  # noqa: PTH109
            "environment": dict(os.environ),
        }
        message = json.dumps(request).encode()
        try:
            socket.send_fds(connection, [len(message).to_bytes(8, "big")], [0, 1, 2])
            connection.sendall(message)
            answer = connection.makefile().readline()
        except OSError:
            answer = ""
        except KeyboardInterrupt:
            sys.exit(130)
    if not answer:
        sys.exit("ncsbench: error: the process that runs the jobs has ended; run snakemake again")
    code = int(answer)
    if code < 0:
        os.kill(os.getpid(), -code)
        signal.pause()
    sys.exit(code)


main()
