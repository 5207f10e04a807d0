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


def ranges(kind: str, **more: Any) -> dict[str, Any]:
    """A small chart that shows how sure an answer is."""
    money = {"label": "Cost", "unit": "¥"}
    made: dict[str, dict[str, Any]] = {
        "tornado": {
            "series": [
                {"name": "at its low", "points": [["电价：低 – 高", 3], ["One side", 7]]},
                {"name": "at its high", "points": [["电价：低 – 高", 9], ["One side", 8]]},
            ],
            "marks": [{"y": 5, "label": "base"}],
        },
        "fan": {
            "series": [{"name": "P10", "points": [["Rent", 5.0], ["购买", 4.0]], "low": [3, 2], "high": [9, 6]}],
            "marks": [],
        },
        "bands": {
            "kind": "fan",
            "series": [{"name": n, "points": [[0, 1], [1, 2]], "low": [0.5, 1], "high": [2, 4]} for n in ("Rent", "购买")],
            "marks": [{"x": 1, "label": "here"}],
        },
        "map": {
            "series": [{"name": "Rent", "points": [[10, 1], [20, 1]]}, {"name": "购买", "points": [[10, 2], [20, 2]]}],
            "lines": [{"name": "equal", "points": [[10, 1.5], [20, 1.4], [90, 9]]}],
            "marks": [{"x": 12, "y": 1.8, "label": "here"}],
        },
    }
    return (
        {"id": kind, "kind": kind, "title": "T <1>", "text": "What it shows.", "x": {"label": "x", "unit": ""}, "y": money}
        | made[kind]
        | more
    )


WORDS = {
    "tornado": ["电价：低 – 高", "at its low", "at its high", "base 5", "Cost (¥)"],
    "fan": ["Rent", "购买", "Cost (¥)"],
    "bands": ["Rent", "购买", "here", 'stroke-dasharray="6 3"'],
    "map": ["Rent", "购买", "here", ">A<", ">B<"],
}


@pytest.mark.parametrize("width", [640, 340])
@pytest.mark.parametrize("kind", list(WORDS))
def test_a_range_is_drawn_and_not_by_colour_alone(tmp_path: Path, kind: str, width: int) -> None:
    (svg,) = charts.render([ranges(kind, width=width)], tmp_path)
    for word in (*WORDS[kind], 'role="img"', "What it shows.", "currentColor"):
        assert word in svg, word
    for never in ("\n", "<style", "<script", "NaN", "undefined"):
        assert never not in svg
    assert f'width="{width}"' in svg


@pytest.mark.parametrize("kind", list(WORDS))
def test_a_range_of_nothing_is_drawn(tmp_path: Path, kind: str) -> None:
    (svg,) = charts.render([ranges(kind, series=[], marks=[], lines=[])], tmp_path)
    assert svg.startswith("<svg")
    assert "NaN" not in svg


def test_a_name_too_long_for_its_row_is_cut_and_told_whole(tmp_path: Path) -> None:
    name = "A variable with a very long name that no telephone can show in one line: ¥1,000,000 – ¥2,000,000"
    points = {"points": [[name, 3]]}
    (svg,) = charts.render([ranges("tornado", series=[{"name": "l", **points}, {"name": "h", **points}], width=340)], tmp_path)
    assert "…</text>" in svg or "…<title>" in svg
    assert f"<title>{name}" in svg


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
