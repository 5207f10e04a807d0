"""Charts at build: every kind is drawn, says what it shows, and is drawn once."""

from pathlib import Path
from typing import Any

import pytest

from sitebuild import charts


def spec(kind: str, **more: Any) -> dict[str, Any]:
    """A small chart of one kind."""
    xs: list[Any] = [0, 1, 2] if kind == "line" else ["A", "显存"]
    series = [{"name": name, "points": [[x, i + 1.5] for i, x in enumerate(xs)]} for name in ("Weights", "KV 缓存")]
    axes = {"x": {"label": "x", "unit": ""}, "y": {"label": "Memory", "unit": "GB"}}
    mark = {"x": 1, "label": "here"} if kind == "line" else {"y": 2.0, "label": "here"}
    return {
        "id": kind,
        "kind": kind,
        "title": "T <1>",
        "text": "What it shows.",
        "series": series,
        "marks": [mark],
        **axes,
        **more,
    }


@pytest.mark.parametrize("kind", ["stack", "bar", "line"])
def test_a_chart_names_and_describes_itself(tmp_path: Path, kind: str) -> None:
    (svg,) = charts.render([spec(kind)], tmp_path)
    assert svg.startswith("<svg ")
    assert 'role="img"' in svg
    assert 'aria-label="T <1>. What it shows."' in svg or "T &lt;1&gt;. What it shows." in svg
    for word in ("here", "Weights", "KV 缓存", "Memory (GB)", "currentColor", "var(--guide-series-2"):
        assert word in svg
    for never in ("\n", "<style", "<script", "NaN", "undefined"):
        assert never not in svg


def test_drawn_once_and_in_order(tmp_path: Path) -> None:
    first = charts.render([spec("line"), spec("bar"), spec("line")], tmp_path)
    assert first[0] == first[2] != first[1]
    assert len(list(tmp_path.iterdir())) == 2
    assert charts.render([spec("bar"), spec("line")], tmp_path) == [first[1], first[0]]


def test_one_value_or_none_is_drawn(tmp_path: Path) -> None:
    lone = spec("stack", series=[{"name": "Weights", "points": [["A", 0.0]]}], marks=[])
    assert charts.render([lone, spec("line", series=[], marks=[])], tmp_path)[0].startswith("<svg")


def test_what_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    with pytest.raises(charts.ChartError, match="could not be drawn"):
        charts.render([{"kind": "line"}], tmp_path)
