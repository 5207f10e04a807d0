"""Chromium, Firefox and Chinese fonts for the tests and the bench: found, else installed, else a sentence that says how.

In: the PATH, the variables GPUGUIDE_CHROMIUM and GPUGUIDE_FIREFOX, Debian's packages where they can be installed. Out: the path
of a browser that answers `--version` (a distribution's stub may be found and not start). Tests ask `path("chromium")`; the
command `python -m tools.browsers` installs what is missing.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path


class MissingBrowser(Exception):
    """No such browser here, what was tried, and how to get one."""


@dataclass(frozen=True)
class Browser:
    """Where one browser is looked for, and the Debian package that brings it."""

    name: str
    override: str
    commands: Sequence[str]
    applications: Sequence[str]
    package: str


BROWSERS = {
    "chromium": Browser(
        name="Chromium",
        override="GPUGUIDE_CHROMIUM",
        commands=("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
        applications=(
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        ),
        package="chromium",
    ),
    "firefox": Browser(
        name="Firefox",
        override="GPUGUIDE_FIREFOX",
        commands=("firefox", "firefox-esr"),
        applications=("/Applications/Firefox.app/Contents/MacOS/firefox",),
        package="firefox-esr",
    ),
}
FONT_PACKAGE = "fonts-noto-cjk"


def version(command: str) -> str | None:
    """What a browser says it is, or None where it does not start."""
    try:
        answer = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    lines = answer.stdout.strip().splitlines()
    return lines[-1].strip() if lines else None


@cache
def find(key: str) -> str | None:
    """The path of a browser that starts; a path named by the override is the only one looked at."""
    browser = BROWSERS[key]
    if named := os.environ.get(browser.override):
        candidates: list[str | None] = [shutil.which(named)]
    else:
        candidates = [shutil.which(command) for command in browser.commands]
        candidates += [application for application in browser.applications if Path(application).exists()]
    return next((candidate for candidate in candidates if candidate and version(candidate)), None)


def path(key: str) -> str:
    """The path of a browser, for a test that cannot do without: it fails where there is none, and says how to mend it."""
    found = find(key)
    if found is None:
        raise MissingBrowser(how_to_mend(BROWSERS[key]))
    return found


def how_to_mend(browser: Browser) -> str:
    if named := os.environ.get(browser.override):
        return f"{browser.override} names {named}, which does not start with --version. Name one that does, or unset it."
    return (
        f"{browser.name} is missing (looked for {', '.join(browser.commands)} on the PATH). Install it "
        f"(Debian: apt-get install {browser.package}; macOS: brew install --cask {browser.name.lower()}), "
        f"or name one: {browser.override}=/path/to/it"
    )


def has_chinese_font() -> bool:
    """Whether text in Chinese shows as more than boxes; systems without fontconfig bring their own fonts."""
    if sys.platform != "linux":
        return True
    if not shutil.which("fc-list"):
        return False
    listed = subprocess.run(["fc-list", ":lang=zh", "family"], capture_output=True, text=True, check=False)
    return bool(listed.stdout.strip())


def missing_packages() -> list[str]:
    """The Debian packages that would bring what is not here; a browser named by its override is not replaced."""
    packages = [
        browser.package for key, browser in BROWSERS.items() if find(key) is None and not os.environ.get(browser.override)
    ]
    return packages if has_chinese_font() else [*packages, FONT_PACKAGE]


def as_root() -> list[str] | None:
    """What goes before a command that needs root, or None where that is not to be had without a question."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0:
        return ["sudo", "-n"]
    return None


def install(packages: Sequence[str]) -> None:
    """Installs Debian packages where that is possible; what is then still missing is told by the caller."""
    prefix = as_root()
    if prefix is None or not shutil.which("apt-get"):
        return
    say(f"installing {', '.join(packages)} with apt-get")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
    for command in ([*apt, "update"], [*apt, "install", "--yes", "--no-install-recommends", *packages]):
        # the package manager's log is long and of use only when it fails
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.stderr.write(done.stdout + done.stderr)
    find.cache_clear()


def say(line: str) -> None:
    print(f"set-up: {line}", flush=True)


def main() -> int:
    """Finds or installs everything; 1 and a sentence for each thing that is still missing."""
    if packages := missing_packages():
        install(packages)
    problems = [how_to_mend(browser) for key, browser in BROWSERS.items() if find(key) is None]
    if not has_chinese_font():
        problems.append(f"No font for Chinese text is installed (Debian: apt-get install fontconfig {FONT_PACKAGE}).")
    for problem in problems:
        print(f"set-up: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
