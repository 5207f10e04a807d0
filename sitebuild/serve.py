"""`make serve`: builds the site, serves it on this machine, and builds again when a source changes.

In: PORT, the repository. Out: http://127.0.0.1:PORT, and one line on standard output for each thing that happens. A
build runs in its own process, so that changed Python counts and a failed one stops nothing: the last good site stays.
"""

import argparse
import errno
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from sitebuild.layout import Layout
from sitebuild.web import handler

HOST = "127.0.0.1"
WATCHED = ("catalog", "calculators", "docs", "browser", "sitebuild")
FILES = ("mkdocs.yml",)
QUIET = 0.3
"""Seconds without a further change before a build begins: an editor saves in several steps."""
READS = ("opened", "closed_no_write")


class PortTaken(Exception):
    """Another program has the port."""


def server(site: Path, port: int, host: str = HOST) -> ThreadingHTTPServer:
    """A server for a built site, not yet running; port 0 takes a free one. Raises PortTaken."""
    try:
        return _Server((host, port), handler(site))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(f"Port {port} is taken. Choose another: make serve PORT={port + 1}") from None
        raise


class _Server(ThreadingHTTPServer):
    """A browser that goes away in the middle of an answer is no news."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Watcher(FileSystemEventHandler):
    """Puts the path of each change to a source into a queue."""

    def __init__(self, root: Path, changes: "queue.Queue[str]") -> None:
        self.root = root
        self.changes = changes

    def on_any_event(self, event: FileSystemEvent) -> None:
        path = Path(str(event.src_path))
        if event.is_directory or event.event_type in READS or not self._source(path):
            return
        self.changes.put(path.relative_to(self.root).as_posix())

    def _source(self, path: Path) -> bool:
        if not path.is_relative_to(self.root) or path.name.startswith((".", "#")) or path.name.endswith(("~", ".swp", ".pyc")):
            return False
        parts = path.relative_to(self.root).parts
        return "__pycache__" not in parts and (parts[0] in WATCHED or parts in {(name,) for name in FILES})


def watch(root: Path, changes: "queue.Queue[str]") -> "_Running":
    """Begin to watch the sources; the queue gets paths relative to the root."""
    observer = Observer()
    watcher = _Watcher(root, changes)
    for name in WATCHED:
        if (root / name).is_dir():
            observer.schedule(watcher, str(root / name), recursive=True)
    observer.schedule(watcher, str(root), recursive=False)
    observer.start()
    return _Running(observer.stop, observer.join)


class _Running:
    """A watcher that can be stopped."""

    def __init__(self, stop: Callable[[], None], join: Callable[[], None]) -> None:
        self._stop = stop
        self._join = join

    def stop(self) -> None:
        self._stop()
        self._join()


def build(root: Path, lenient: bool = True) -> bool:
    """One build in its own process, its lines printed as they come; says whether it succeeded."""
    command = [sys.executable, "-m", "sitebuild.build", *(["--lenient"] if lenient else [])]
    return subprocess.run(command, cwd=root, check=False).returncode == 0


def collect(changes: "queue.Queue[str]") -> list[str]:
    """Wait for a change, then for quiet; gives what changed, each path once."""
    found = [changes.get()]
    while True:
        try:
            found.append(changes.get(timeout=QUIET))
        except queue.Empty:
            return list(dict.fromkeys(found))


def _rebuild(root: Path, changes: "queue.Queue[str]") -> None:
    while True:
        found = collect(changes)
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        print(f"changed  {found[0]}{more}: building", flush=True)
        begun = time.perf_counter()
        if build(root):
            print(f"ready    in {time.perf_counter() - begun:.1f} s; reload the page", flush=True)
        else:
            print("kept     the last good site is still served; save again when it is mended", flush=True)


def _port(text: str) -> int:
    """A port's number, from PORT= or the command line."""
    if not (text.isascii() and text.isdecimal()) or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: write a number from 1 to 65535, or 0 for any free one")
    return int(text)


def main(argv: Sequence[str] | None = None) -> int:
    """The command; runs until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="sitebuild.serve", description="Build the site, serve it, build again on change.")
    parser.add_argument("--port", type=_port, default=8000)
    parser.add_argument("--no-build", action="store_true", help="serve what is built, build only on change")
    asked = parser.parse_args(argv)
    layout = Layout()
    try:
        web = server(layout.site, asked.port)  # before the build: a taken port should be known at once
    except PortTaken as error:
        print(error, file=sys.stderr)
        return 1
    changes: queue.Queue[str] = queue.Queue()
    running = watch(layout.root, changes)
    try:
        if not asked.no_build and not build(layout.root) and not (layout.site / "index.html").is_file():
            print("There is no earlier build to serve. Mend the lines above; saving a file builds again.", file=sys.stderr)
        threading.Thread(target=_rebuild, args=(layout.root, changes), daemon=True).start()
        print(f"serving  http://{HOST}:{web.server_address[1]}/ (English) · /zh/ (中文) · Ctrl-C stops", flush=True)
        web.serve_forever()
    except KeyboardInterrupt:
        print("\nstopped", flush=True)
    finally:
        running.stop()
        web.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
