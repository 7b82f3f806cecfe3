"""Client that asks the job server for a job and ends as the job does.

It runs ``ncsbench`` with the arguments given, by the server (``job_server``), or by Python where no
server answers. It imports nothing of the library, and of Python only what is compiled in C, since
the modules ``socket`` and ``json`` take longer to import than Python takes to start.
"""

import _socket  # noqa: TID251  (of this machine, for its owner)
import os
import sys


def main() -> None:
    """Ask for the job of this process's arguments, folder, environment and streams."""
    arguments = sys.argv[1:]
    connection = _socket.socket(_socket.AF_UNIX)
    try:
        connection.connect(os.environ["NCSBENCH_JOBS"])
    except OSError:
        os.execvp("python", ["python", "-m", "ncsbench", *arguments])  # noqa: S606, S607
    request = {
        "arguments": arguments,
        "folder": os.getcwd(),  # noqa: PTH109
        "environment": dict(os.environ),
    }
    message = ascii(request).encode()
    streams = b"".join(stream.to_bytes(4, sys.byteorder) for stream in (0, 1, 2))
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)]
    try:
        connection.sendmsg([len(message).to_bytes(8, "big")], rights)
        connection.sendall(message)
        answer = connection.recv(16)
    except OSError:
        answer = b""
    except KeyboardInterrupt:
        sys.exit(130)
    if not answer:
        sys.exit("ncsbench: error: the process that runs the jobs has ended; run snakemake again")
    code = int(answer)
    if code < 0:
        import signal

        os.kill(os.getpid(), -code)
        signal.pause()
    sys.exit(code)


main()
