"""The built site and the unzipped bundle, served and opened as readers do, and what a page may not do.

`site` is an address on this machine with the site at its root, `bundle` a folder opened without a host. A page opened
by `visit` fails its test if it says anything on the console or asks any other host.
"""

import json
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from sitebuild import web

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60
"""Seconds for Python to start on a machine that is busy with other tests."""


class Server(ThreadingHTTPServer):
    """A host that is not upset by a browser that closes in the middle of a file."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """What a reader's browser broke off is no error of the host."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def made(module: str) -> None:
    """Runs a build step: quick where nothing has changed."""
    subprocess.run([sys.executable, "-m", module], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built site."""
    made("sitebuild.build")
    server = Server(("127.0.0.1", 0), web.handler(ROOT / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the unzipped bundle's folder."""
    made("sitebuild.bundle")
    newest = max((ROOT / "dist").glob("gpu-server-guide-offline-*.zip"), key=lambda p: p.stat().st_mtime)
    folder = tmp_path_factory.mktemp("bundle")
    with zipfile.ZipFile(newest) as archive:
        archive.extractall(folder)
    index = min(folder.rglob("index.html"), key=lambda p: len(p.parts))
    return f"{index.parent.as_uri()}/"


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@dataclass
class Visit:
    """A page and what it did."""

    page: Page
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def wait(self, condition: str, argument: Any = None) -> None:
        """Until a JavaScript function is true of the page: polled, because a strict policy forbids what a driver injects."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.page.evaluate(condition, argument):
                return
            time.sleep(0.03)
        raise AssertionError(f"never true: {condition} {argument or ''}; the page is at {self.page.url}, it said {self.said}")

    def live(self) -> None:
        """Gives intent and waits for Python."""
        self.page.locator("form[data-calculator] :is(input, select)").first.focus()
        self.wait("() => document.querySelector('form[data-calculator]').dataset.state === 'ready'")

    def value(self, output: str) -> str | None:
        """The bare number of an output."""
        return self.page.locator(f"[data-result] [data-output='{output}']").get_attribute("data-value")

    def status(self) -> str:
        """What the form says of itself."""
        return self.page.locator("form[data-calculator] [data-status]").inner_text()


Open = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Open]:
    """Opens pages; afterwards none may have complained or asked another host."""
    opened: list[Visit] = []
    contexts = []

    def open_page(address: str, **options: Any) -> Visit:
        context = browser.new_context(**options)
        contexts.append(context)
        visited = Visit(context.new_page())
        visited.page.on("request", lambda r: visited.requests.append(r.url))
        visited.page.on("console", lambda m: visited.said.append(m.text))
        visited.page.on("pageerror", lambda e: visited.said.append(str(e)))
        visited.page.goto(address)
        opened.append(visited)
        return visited

    yield open_page
    for context in contexts:
        context.close()
    for visited in opened:
        own = re.compile(r"(http://127\.0\.0\.1:\d+/|file:///|blob:|data:)")
        assert [url for url in visited.requests if not own.match(url)] == []
        assert visited.said == []


@dataclass(frozen=True)
class Node:
    """Runs browser scripts under node, each in the page's global scope."""

    program: str

    def run(self, script: str, *files: str) -> Any:
        """The JSON that an expression gives after the files of `browser/` were run."""
        paths = [str(ROOT / "browser" / name) for name in files]
        source = (
            "const fs = require('fs'), vm = require('vm'); globalThis.self = globalThis;"
            f"for (const f of {json.dumps(paths)}) vm.runInThisContext(fs.readFileSync(f, 'utf8'), {{ filename: f }});"
            f"process.stdout.write(JSON.stringify(vm.runInThisContext({json.dumps(script)})));"
        )
        done = subprocess.run([self.program, "-e", source], check=True, capture_output=True, text=True)
        return json.loads(done.stdout)


@pytest.fixture(scope="session")
def node() -> Node:
    """The node that set-up found."""
    from sitebuild.python_assets.inside import node as program  # noqa: PLC0415 - the fixture bears its name

    return Node(program())
