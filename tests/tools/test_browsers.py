"""Browsers are found where they start, installed where that is possible, and told about where it is not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import browsers


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty PATH of the test's own, with no browser found before."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for browser in browsers.BROWSERS.values():
        monkeypatch.delenv(browser.override, raising=False)
    monkeypatch.setattr(browsers, "as_root", lambda: None)
    browsers.find.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Nothing found here is remembered by the tests that come after."""
    browsers.find.cache_clear()
    yield
    browsers.find.cache_clear()


def command(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_this_machine_has_both(chromium: str, firefox: str) -> None:
    assert "Chrom" in (browsers.version(chromium) or "")
    assert "Firefox" in (browsers.version(firefox) or "")


def test_a_stub_that_does_not_start_is_passed_over(commands: Path) -> None:
    command(commands / "chromium", "echo 'install the snap'; exit 1")
    real = command(commands / "google-chrome", "echo Google Chrome 156")
    assert browsers.find("chromium") == real


@pytest.mark.parametrize("key", ["chromium", "firefox"])
def test_a_missing_browser_says_how_to_get_one(commands: Path, key: str) -> None:
    browser = browsers.BROWSERS[key]
    with pytest.raises(browsers.MissingBrowser) as raised:
        browsers.path(key)
    for word in (browser.name, browser.package, browser.override):
        assert word in str(raised.value)


def test_the_override_is_the_only_one_looked_at(commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command(commands / "firefox", "echo Mozilla Firefox 153")
    monkeypatch.setenv("GPUGUIDE_FIREFOX", str(commands / "nightly"))
    with pytest.raises(browsers.MissingBrowser, match=r"GPUGUIDE_FIREFOX names .*nightly"):
        browsers.path("firefox")
    nightly = command(commands / "nightly", "echo Mozilla Firefox 160")
    browsers.find.cache_clear()
    assert browsers.path("firefox") == nightly


def test_what_is_missing_is_installed(
    commands: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command(commands / "firefox-esr", "echo Mozilla Firefox 153")
    command(commands / "fc-list", "echo Noto Sans CJK SC")
    log = commands / "log"
    brought = commands / "chromium"
    command(
        commands / "apt-get",
        f'echo "$@" >>{log}; case "$*" in *install*) echo "#!/bin/sh" >{brought}; echo "echo Chromium 156" >>{brought}; '
        f"/bin/chmod +x {brought};; esac",
    )
    command(commands / "env", 'exec /usr/bin/env "$@"')
    monkeypatch.setattr(browsers, "as_root", list)
    assert browsers.main() == 0
    update, install = log.read_text().splitlines()
    assert update.endswith(" update")
    assert install.endswith(" chromium")  # only what was missing
    assert "installing chromium" in capsys.readouterr().out


def test_what_cannot_be_installed_fails_and_says_so(commands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert browsers.main() == 1
    told = capsys.readouterr().err
    assert "Chromium is missing" in told
    assert "Firefox is missing" in told
