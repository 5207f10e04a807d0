"""The server: types, compression, caching, and what it watches."""

import gzip
import queue
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import brotli
import pytest

from sitebuild import files, serve
from sitebuild.web import accepted

BODY = "显存 memory " * 500


@pytest.fixture
def web(tmp_path: Path) -> Iterator[HTTPConnection]:
    """A connection to a server of a few files."""
    for name, content in {
        "index.html": BODY,
        "zh/index.html": "zh",
        "404.html": "nothing here",
        "assets/python/abc/x.wasm": "\0asm" + BODY,
        "assets/guide/0123456789/a.js": "1",
    }.items():
        files.write(tmp_path / name, content)
    server = serve.server(tmp_path, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    connection = HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    yield connection
    connection.close()
    server.shutdown()
    server.server_close()


def get(web: HTTPConnection, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
    web.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = web.getresponse()
    return response, response.read()


@pytest.mark.parametrize(
    ("path", "status", "kind", "cache"),
    [
        ("/", 200, "text/html; charset=utf-8", "no-cache"),
        ("/zh/?q=1", 200, "text/html; charset=utf-8", "no-cache"),
        ("/gone", 404, "text/html; charset=utf-8", "no-cache"),
        ("/assets/python/abc/x.wasm", 200, "application/wasm", "public, max-age=31536000, immutable"),
        ("/assets/guide/0123456789/a.js", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/../../etc/passwd", 404, "text/html; charset=utf-8", "no-cache"),
    ],
)
def test_answers(web: HTTPConnection, path: str, status: int, kind: str, cache: str) -> None:
    response, _ = get(web, path)
    assert (response.status, response.getheader("Content-Type"), response.getheader("Cache-Control")) == (status, kind, cache)


def test_encodings(web: HTTPConnection) -> None:
    plain, body = get(web, "/")
    assert (plain.getheader("Content-Encoding"), body.decode()) == (None, BODY)
    br, body = get(web, "/", Accept_Encoding="gzip, deflate, br")
    assert (br.getheader("Content-Encoding"), brotli.decompress(body).decode()) == ("br", BODY)
    zipped, body = get(web, "/", Accept_Encoding="gzip")
    assert (zipped.getheader("Content-Encoding"), gzip.decompress(body).decode()) == ("gzip", BODY)


@pytest.mark.parametrize(
    ("header", "expected"), [("", ""), ("br", "br"), ("gzip, br;q=0", "gzip"), ("identity", ""), ("gzip;q=1.0", "gzip")]
)
def test_the_better_encoding(header: str, expected: str) -> None:
    assert accepted(header) == expected


def test_an_unchanged_page_is_not_sent_again(web: HTTPConnection) -> None:
    first, _ = get(web, "/")
    again, body = get(web, "/", If_None_Match=first.getheader("ETag") or "")
    assert (again.status, body) == (304, b"")


def test_a_folder_without_its_slash_is_sent_on(web: HTTPConnection) -> None:
    response, _ = get(web, "/zh")
    assert (response.status, response.getheader("Location")) == (301, "/zh/")


@pytest.mark.parametrize("port", ["abc", "-1", "65536", "", "８０００"])
def test_what_is_no_port_is_told(capsys: pytest.CaptureFixture[str], port: str) -> None:
    with pytest.raises(SystemExit) as end:
        serve.main(["--port", port])
    assert end.value.code == 2
    assert "write a number from 1 to 65535" in capsys.readouterr().err


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    first = serve.server(tmp_path, 0)
    port = first.server_address[1]
    with pytest.raises(serve.PortTaken, match=f"Port {port} is taken.*PORT={port + 1}"):
        serve.server(tmp_path, port)
    first.server_close()


def test_a_saved_source_is_noticed_and_a_generated_file_is_not(tmp_path: Path) -> None:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "build").mkdir()
    changes: queue.Queue[str] = queue.Queue()
    running = serve.watch(tmp_path, changes)
    try:
        files.write(tmp_path / "build" / "x.html", "x")
        files.write(tmp_path / "catalog" / ".x.yaml.swp", "x")
        files.write(tmp_path / "catalog" / "x.yaml", "x")
        found = serve.collect(changes)
        assert found == ["catalog/x.yaml"]
        (tmp_path / "catalog" / "x.yaml").read_text()
        time.sleep(2 * serve.QUIET)
        assert changes.empty()
    finally:
        running.stop()
