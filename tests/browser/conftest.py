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
from playwright.sync_api import Browser, Error, Page

from sitebuild import web
from tests.shared import Shared

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60
"""Seconds for Python to start on a machine that is busy with other tests."""
STEADY = 0.3
GOING = ("Execution context was destroyed", "Cannot read properties of null")
"""What a question to a page is answered with while one page goes and the next has no elements yet."""


class Server(ThreadingHTTPServer):
    """A host that is not upset by a browser that closes in the middle of a file."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """What a reader's browser broke off is no error of the host."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture(scope="session")
def site(built_site: Path) -> Iterator[str]:
    """The address of the built site."""
    server = Server(("127.0.0.1", 0), web.handler(built_site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def bundle(shared: Shared, built_bundle: Path) -> str:
    """The address of the unzipped bundle's folder."""

    def unzip(folder: Path) -> None:
        with zipfile.ZipFile(built_bundle) as archive:
            archive.extractall(folder)

    folder = shared.once("bundle", unzip)
    index = min(folder.rglob("index.html"), key=lambda p: len(p.parts))
    return f"{index.parent.as_uri()}/"


@dataclass
class Visit:
    """A page and what it did."""

    page: Page
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def wait(self, condition: str, argument: Any = None) -> None:
        """Until a JavaScript function is true of the page: polled, because a strict policy forbids what a driver injects."""
        self.until(lambda: self.page.evaluate(condition, argument), f"{condition} {argument or ''}")

    def until(self, condition: Callable[[], Any], words: str) -> None:
        """Until a question to the page is answered with yes. A page that is just going or coming is asked again."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if condition():
                    return
            except Error as error:
                if not any(words in error.message for words in GOING):
                    raise
            time.sleep(0.03)
        raise AssertionError(f"never true: {words}; the page is at {self.page.url}, it said {self.said}")

    def steadily(self, condition: Callable[[], Any], words: str) -> None:
        """Until it has been so for a while: for what comes in several pieces, of which the last one counts."""
        self.until(condition, words)
        end = time.monotonic() + STEADY
        while time.monotonic() < end:
            if not condition():
                self.until(condition, words)
                end = time.monotonic() + STEADY
            time.sleep(0.03)

    def back(self) -> None:
        """The reader's Back, once the browser has filed the page's present address in its history.

        A page's own change of address is known to its scripts first and to the browser a moment later. `history.back()` is no
        substitute: run by a driver, which lends it a gesture, it has been seen to go back two entries at once.
        """
        driver = self.page.context.new_cdp_session(self.page)

        def filed() -> bool:
            history = driver.send("Page.getNavigationHistory")
            return bool(history["entries"][history["currentIndex"]]["url"] == self.page.evaluate("() => location.href"))

        self.until(filed, "the browser's history ends with the page's address")
        driver.detach()
        self.page.go_back()

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
        context.set_default_timeout(PATIENCE * 1000)
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
