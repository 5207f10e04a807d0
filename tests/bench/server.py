"""The server that all sides of a comparison are read from: `make serve`'s own, with a slow line and a count of bytes.

In: a folder, a line's speed. Out: http://127.0.0.1:<port> with brotli and immutable caching as a good static host has
them; the requests that came in, each with the bytes that went out (headers included). What visits ask for is compressed
before the first measurement, so that no visit waits for it.
"""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from io import BufferedIOBase
from pathlib import Path
from typing import Any, cast

from sitebuild import serve, web

CHUNK = 16 << 10
SCRIPTS_OFF = "scripts=off"
"""In a page's query: the page is sent with a policy that runs none of its scripts."""


@dataclass(frozen=True, slots=True)
class Line:
    """What lies between the browser and the server; 0 is a line that costs nothing."""

    mbps: float = 0
    rtt_ms: float = 0


FREE = Line()


@dataclass(frozen=True, slots=True)
class Sent:
    """One request and what answered it."""

    path: str
    bytes: int


class Server:
    """A running server; `line` and the count may be changed between visits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.line = FREE
        self._sent: list[Sent] = []
        self._free = 0.0
        self._lock = threading.Lock()
        self._http = _server(self, folder)
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    @property
    def origin(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def take(self) -> list[Sent]:
        """What was sent since the last time."""
        with self._lock:
            taken, self._sent = self._sent, []
        return taken

    def note(self, sent: Sent) -> None:
        """One request is answered."""
        with self._lock:
            self._sent.append(sent)

    def wait(self, size: int) -> None:
        """Until the line has carried `size` bytes: all connections share it."""
        if not self.line.mbps:
            return
        with self._lock:
            now = time.perf_counter()
            self._free = max(self._free, now) + size * 8 / (self.line.mbps * 1e6)
            until = self._free - now
        time.sleep(until)

    def warm(self, patterns: Sequence[str]) -> None:
        """Compress what visits ask for: done once here, it is no part of a measurement."""
        connection = HTTPConnection("127.0.0.1", int(self._http.server_address[1]), timeout=120)
        for path in sorted({path for pattern in patterns for path in self.folder.glob(pattern)}):
            if path.is_file():
                connection.request("GET", "/" + path.relative_to(self.folder).as_posix(), headers={"Accept-Encoding": "br"})
                connection.getresponse().read()
        connection.close()
        self.take()

    @contextmanager
    def running(self) -> Iterator["Server"]:
        """Serves inside the block."""
        self._thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            self._http.server_close()


class _Carried:
    """An output stream that takes the line's time and counts."""

    def __init__(self, stream: BufferedIOBase, server: Server) -> None:
        self._stream = stream
        self._server = server
        self.bytes = 0

    def write(self, data: bytes) -> int:
        self.bytes += len(data)
        step = CHUNK if self._server.line.mbps else len(data) or 1
        for at in range(0, len(data), step):
            piece = data[at : at + step]
            self._server.wait(len(piece))
            self._stream.write(piece)
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Handler(web.Handler):
    """`make serve`'s answers, carried by the line."""

    bench: Server

    def setup(self) -> None:
        super().setup()
        self.carried = _Carried(self.wfile, self.bench)
        self.wfile = cast(BufferedIOBase, self.carried)

    def do_GET(self) -> None:
        time.sleep(self.bench.line.rtt_ms / 1e3)
        before = self.carried.bytes
        super().do_GET()
        self.bench.note(Sent(self.path, self.carried.bytes - before))

    def end_headers(self) -> None:
        if self.path.endswith(SCRIPTS_OFF):
            self.send_header("Content-Security-Policy", "script-src 'none'")
        super().end_headers()


def _server(bench: Server, folder: Path) -> ThreadingHTTPServer:
    kind = type("BenchHandler", (_Handler,), {"site": folder, "bodies": web.Compressed(), "bench": bench})
    made = serve.server(folder, 0)
    made.RequestHandlerClass = partial(kind, directory=str(folder))
    return made
