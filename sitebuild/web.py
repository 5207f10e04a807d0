"""How a built site is served: types, compression, caching.

In: a folder. Out: a request handler for `http.server`. Text, WebAssembly and archives go out in brotli or gzip, compressed
once a file and kept; names with a hash in them may be cached for ever, pages are asked for again.
"""

import gzip
import re
import threading
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import brotli

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".xml": "application/xml",
    ".zip": "application/zip",
}
SMALL = 1024
"""Bytes below which compressing gains nothing."""
FOR_EVER = re.compile(r"/assets/(guide/[0-9a-f]{8,}/|python/[^/]+/)|/assets/(javascripts|stylesheets)/.*\.[0-9a-f]{8}\.min\.")
QUALITY = 11
QUALITY_LARGE = 9
LARGE = 1 << 20
"""Above this size the best quality takes seconds a file and gains a few per cent."""


class Compressed:
    """Compressed bodies by file, time and encoding; one thread makes each."""

    def __init__(self) -> None:
        self._bodies: dict[tuple[str, int, int, str], bytes] = {}
        self._lock = threading.Lock()

    def get(self, path: Path, encoding: str) -> bytes:
        """The file's bytes in `encoding`: "br", "gzip" or "" for as they are."""
        data = path.read_bytes()
        if not encoding:
            return data
        status = path.stat()
        key = (str(path), status.st_mtime_ns, status.st_size, encoding)
        with self._lock:
            if key not in self._bodies:
                for old in [k for k in self._bodies if k[0] == key[0] and k[1:3] != key[1:3]]:
                    del self._bodies[old]
                self._bodies[key] = compress(data, encoding)
            return self._bodies[key]


def compress(data: bytes, encoding: str) -> bytes:
    """As a good static host would."""
    if encoding == "gzip":
        return gzip.compress(data, 9, mtime=0)
    body: bytes = brotli.compress(data, quality=QUALITY_LARGE if len(data) > LARGE else QUALITY)
    return body


def accepted(header: str) -> str:
    """The better of the encodings that a browser takes."""
    names = {part.split(";")[0].strip() for part in header.split(",") if not part.replace(" ", "").endswith(";q=0")}
    return next((name for name in ("br", "gzip") if name in names), "")


class Handler(SimpleHTTPRequestHandler):
    """Answers from `site`; `handler` makes the class for a folder."""

    protocol_version = "HTTP/1.1"
    server_version = "gpu-server-guide"
    timeout = 30
    site: Path
    bodies: Compressed

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, body: bool) -> None:
        path = Path(self.translate_path(self.path))
        address = self.path.split("?")[0].split("#")[0]
        if path.is_dir():
            if not address.endswith("/"):
                self._redirect(address + "/")
                return
            path = path / "index.html"
        if path.is_file():
            self._send(HTTPStatus.OK, path, address, body)
        else:
            self._send(HTTPStatus.NOT_FOUND, self.site / "404.html", address, body)

    def _redirect(self, address: str) -> None:
        self.send_response(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", "/" + address.lstrip("/"))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, status: HTTPStatus, path: Path, address: str, body: bool) -> None:
        encoding = accepted(self.headers.get("Accept-Encoding", "")) if path.suffix in TYPES else ""
        try:
            encoding = encoding if path.stat().st_size > SMALL else ""
            data = self.bodies.get(path, encoding)
            tag = f'"{path.stat().st_mtime_ns:x}-{len(data):x}"'
        except FileNotFoundError:  # a build is replacing it, or there is no 404 page yet
            self._plain(body)
            return
        if status is HTTPStatus.OK and self.headers.get("If-None-Match") == tag:
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", tag)
            self.end_headers()
            return
        for_ever = status is HTTPStatus.OK and FOR_EVER.search(address)
        self.send_response(status)
        self.send_header("Content-Type", TYPES.get(path.suffix, self.guess_type(str(path))))
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if for_ever else "no-cache")
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("ETag", tag)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        if body:
            self.wfile.write(data)

    def _plain(self, body: bool) -> None:
        data = b"Not found\n"
        self.send_response(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the lines on the terminal are for builds."""


def handler(site: Path) -> Callable[..., Handler]:
    """What a server calls for each connection to one site."""
    made = type("SiteHandler", (Handler,), {"site": site, "bodies": Compressed()})
    return partial(made, directory=str(site))
