"""Visits of real browsers, each session with a fresh profile.

In: a browser, a list of visits. Out: what probe.js found in each, and what the server sent for it. The browser is driven by
drive.mjs in a process of its own, which is told of one visit at a time.
"""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitebuild.python_assets.inside import node
from tests.bench.server import FREE, Line, Sent, Server
from tools import browsers

SETTLE = 1500
"""ms after a visit: a browser writes its caches then."""
PATIENCE = 120_000
DRIVER = Path(__file__).with_name("drive.mjs")
NAMES = {"chromium": "chrome", "firefox": "firefox"}


class VisitFailed(Exception):
    """The browser or the page did not do what was asked; the message is the driver's."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One address and what to look for there; `same` stays in the tab of the visit before."""

    url: str
    probe: Mapping[str, Any]
    same: bool = False
    settle: int = SETTLE


@dataclass(frozen=True, slots=True)
class Found:
    """What a visit gave."""

    result: Mapping[str, Any]
    sent: Sequence[Sent]


@dataclass(frozen=True, slots=True)
class Setting:
    """The circumstances in which both sides of a comparison are measured."""

    browser: str = "chromium"
    line: Line = FREE
    cpu: float = 1
    viewport: tuple[int, int] = (1280, 900)


def session(server: Server, setting: Setting, visits: Sequence[Visit]) -> list[Found]:
    """A fresh profile and some visits, one after the other. Raises VisitFailed."""
    width, height = setting.viewport
    job = {
        "browser": NAMES[setting.browser],
        "executable": browsers.path(setting.browser),
        "viewport": {"width": width, "height": height},
    }
    server.line = setting.line
    with subprocess.Popen([node(), str(DRIVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        _tell(driver, job)
        found = []
        for visit in visits:
            server.take()
            order = {"url": visit.url, "probe": visit.probe, "same": visit.same, "settle": visit.settle}
            _tell(driver, order | {"cpu": setting.cpu, "patience": PATIENCE})
            answer = json.loads(driver.stdout.readline() or '{"error": "the driver ended"}')
            if "error" in answer:
                raise VisitFailed(answer["error"])
            found.append(Found(answer["result"], server.take()))
        _tell(driver, None)
        driver.wait(timeout=60)
    return found


def _tell(driver: "subprocess.Popen[str]", message: Any) -> None:
    assert driver.stdin is not None
    driver.stdin.write(json.dumps(message) + "\n")
    driver.stdin.flush()
