"""Each kind of broken catalog file is refused with its own message, its own mend and the right line."""

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.load import LARGEST_FILE, CatalogErrors, Problem, check, load
from tests.catalog.sample import FILES, TODAY, write


@dataclass(frozen=True)
class Broken:
    """One edit of the sample catalog: in `file`, `old` becomes `new`. `at` is the text on the line to be named."""

    cause: str
    file: str
    old: str
    new: str
    at: str
    message: str
    mend: str


A1 = "accelerators/card-a1"
MEMORY = "memory: {value: 24, unit: GB, source: maker-page, read: 2026-11-30, kind: datasheet}"
OFFER = "offers/shop-a1-hour"
MODEL = "models/dense-7b"

BROKEN = (
    # YAML as a notation
    Broken("duplicate key", A1, "vendor: Maker", "vendor: Maker\nvendor: Other", "vendor: Other", "`vendor` stands twice, first on line 3", "Keep one"),
    Broken("duplicate key inside a value", A1, "value: 24,", "value: 24, value: 25,", "memory:", "the key `value` stands twice", "Keep one"),
    Broken("tab", A1, "  value: 900", "\tvalue: 900", "\tvalue: 900", "a tab indents this line", "two spaces"),
    Broken("colon in bare text", A1, "vendor: Maker", "vendor: Maker: Inc", "vendor: Maker: Inc", "not YAML: mapping values", "in quotes"),
    Broken("text that begins with @", A1, "vendor: Maker", "vendor: @maker", "vendor: @maker", "not YAML: while scanning", "begins with @"),
    Broken("open quote", OFFER, "kind: quoted", "kind: 'quoted", "kind: 'quoted", "end of stream", "Close the quote"),
    Broken("open bracket", A1, "[A1, A1 24G]", "[A1, A1 24G", "aliases: [A1", "did not find expected", "Check the brackets"),
    Broken("backslash", A1, "vendor: Maker", 'vendor: "C:\\Maker"', "vendor: ", "unknown escape", "single quotes"),
    Broken("second document", OFFER, "per: hour", "---\nper: hour", "---", "a second document begins", "delete the `---`"),
    Broken("anchor", A1, "vendor: Maker", "vendor: &m Maker", "vendor: &m", "the anchor &m is refused", "begins with &"),
    Broken("alias", A1, "vendor: Maker", "vendor: *m", "vendor: *m", "the alias *m is refused", "begins with *"),
    Broken("tag", A1, "vendor: Maker", "vendor: !!python/name:os.system", "vendor:", "the YAML tag tag:yaml.org,2002:python", "begins with !"),
    Broken("key that is a list", A1, "vendor: Maker", "? [a]\n: b", "? [a]", "a key is not a word", "as the key"),
    Broken("nested too deep", A1, "[A1, A1 24G]", "[" * 20 + "]" * 20, "aliases:", "nested more than 12 deep", "Flatten"),
    Broken("control character", A1, "vendor: Maker", "vendor: Ma\x07ker", "vendor:", "a control character", "invisible"),
    # keys
    Broken("second spelling of a key", A1, "vendor: Maker", "vendor: Maker\nvendors: Maker", "vendors:", "unknown key `vendors`", "`vendor` is already there"),
    Broken("misspelt key", A1, "form_factor:", "form_facter:", "form_facter", "unknown key `form_facter` in this file", "Did you mean `form_factor`?"),
    Broken("unknown key in a fact", A1, "kind: datasheet}\npower", "kind: datasheet, colour: red}\npower", "memory:", "`colour` in `memory`", "value, unit, source"),
    Broken("missing field", A1, "vendor: Maker\n", "", "id: card-a1", "`vendor` is missing: who makes it", "Add `vendor: <text>`"),
    Broken("missing fact", A1, f"{MEMORY}\n", "", "id: card-a1", "`memory` is missing", "{value: …, unit: GB or GiB, source: <id in catalog/sources/>"),
    Broken("missing source", A1, "unit: GB, source: maker-page,", "unit: GB,", "memory:", "`memory.source` is missing", "Add `source: <id in catalog/sources/>`"),
    Broken("missing unit", A1, "value: 24, unit: GB,", "value: 24,", "memory:", "`memory.unit` is missing", "Add `unit: GB or GiB`"),
    Broken("missing day", A1, "unit: GB, source: maker-page, read: 2026-11-30,", "unit: GB, source: maker-page,", "memory:", "`memory.read` is missing", "Add `read: YYYY-MM-DD`"),
    Broken("missing field of a list item", A1, "- precision: fp8\n    sparse", "- sparse", "- sparse: false", "`peaks[3].precision` is missing", "fp64, fp32, tf32"),
    Broken("id is not the file name", A1, "id: card-a1", "id: card-a2", "id: card-a2", "`id` card-a2 is not the file's name", "Write `id: card-a1`"),
    # shapes
    Broken("number without origin", A1, MEMORY, "memory: 24", "memory: 24", "`memory` is the bare value 24", "Write `memory: {value: …"),
    Broken("text where a record is needed", MODEL, "published_parameters: {value: 6738415616, unit: parameters, source: maker-page, read: 2026-11-30, kind: derived}", "published_parameters: 7B", "published_parameters: 7B", "bare value 7B", "unit: parameters or elements"),
    Broken("text for architecture", "claims/shop-table", "- {accelerator: card-b2, label: B2, memory: 80G, hourly: 20, month_8: 60000}", "- B2", "- B2", "`rows[2]` takes a mapping of accelerator, label, memory", "Write `{accelerator: …"),
    Broken("one value where a list is needed", A1, "flags: [modified, no-vendor-warranty]", "flags: discontinued", "flags:", "`flags` takes a list, found one value", "`flags: [discontinued]`"),
    Broken("mapping where a list is needed", A1, "aliases: [A1, A1 24G]", "aliases: {a: A1}", "aliases:", "`aliases` takes a list, found one mapping", "one item a line after `- `"),
    Broken("list where text is needed", A1, "vendor: Maker", "vendor: [Maker, Other]", "vendor:", "`vendor` is a list, but takes one text", "`vendor: <text>`"),
    Broken("mapping where text is needed", A1, "vendor: Maker", "vendor: {en: Maker}", "vendor:", "`vendor` is a mapping, but takes one text", "on one line"),
    Broken("empty list", A1, "aliases: [A1, A1 24G]", "aliases: []", "aliases:", "`aliases` is [], which says nothing", "delete the line"),
    Broken("item twice in a list", A1, "aliases: [A1, A1 24G]", "aliases: [A1, A1]", "aliases:", "`aliases` lists `A1` twice", "Keep one"),
    # unknown is absent
    Broken("null", A1, "released: 2024-05", "released:", "released:", "`released` is empty", "Unknown is absent here: delete the line"),
    Broken("null written out", A1, "note_zh: 一张卡", "note_zh: null", "note_zh:", "`note_zh` is empty", "delete the line"),
    Broken("zero for unknown", A1, "value: 300, unit: W", "value: 0, unit: W", "power:", "`power.value` is 0, below 10 W", "never 0: delete `power`"),
    Broken("empty text", A1, "vendor: Maker", "vendor: ''", "vendor:", "`vendor` is empty text", "delete the line"),
    Broken("a word for unknown", A1, "released: 2024-05", "released: TBD", "released:", '`released` says "TBD"', "Unknown is absent"),
    # numbers
    Broken("number in quotes", A1, "value: 24,", "value: '24',", "memory:", 'found the text "24"', "Write `24` without quotes"),
    Broken("unit inside the number", A1, "value: 24,", "value: 24 GB,", "memory:", 'takes a bare number, found "24 GB"', "Write `24` alone"),
    Broken("currency before the number", OFFER, "amount: 40", "amount: ¥40", "amount:", 'takes a bare number, found "¥40"', "Write `40` alone; the unit or currency"),
    Broken("thousands separator", OFFER, "amount: 40", "amount: 1_040", "amount:", 'found the text "1_040"', "Write `1040`, without separators"),
    Broken("leading zero", OFFER, "amount: 40", "amount: 040", "amount:", 'found the text "040"', "Write `40`, without separators or leading zeros"),
    Broken("words for a number", OFFER, "amount: 40", "amount: forty", "amount:", '`amount` takes a number, found "forty"', "Write digits"),
    Broken("true for a number", OFFER, "amount: 40", "amount: true", "amount:", "`amount` takes a number, found true", "not true or false"),
    Broken("not a number", OFFER, "amount: 40", "amount: .nan", "amount:", "`amount` is .nan, which is no finite number", "delete the line"),
    Broken("infinity by exponent", OFFER, "amount: 40", "amount: 1e999", "amount:", "`amount` is 1e999, which is no finite", "delete the line"),
    Broken("fraction of a count", OFFER, "accelerator_count: 8", "accelerator_count: 7.5", "accelerator_count:", "takes a whole number, found 7.5", "without a fraction"),
    Broken("negative", OFFER, "amount: 40", "amount: -40", "amount:", "`amount` -40 is below 0.001", "Check the sign"),
    Broken("a thousand times too large", A1, "value: 24,", "value: 24000,", "memory:", "`memory.value` 24000 is above 1024 (GB or GiB)", "a thousand times smaller"),
    Broken("another source's value out of range", A1, "value: 700", "value: 7", "- {value: 7,", "`memory_bandwidth.others[1].value` 7 is below 50 GB/s", "the unit"),
    Broken("number for true", A1, "sparse: true", "sparse: 1", "sparse: 1", "`peaks[2].sparse` takes true or false, found 1", "Write `true` without quotes"),
    Broken("yes for true", OFFER, "bare_metal: false", "bare_metal: no", "bare_metal:", 'takes true or false, found "no"', "Write `false` without quotes"),
    Broken("words for true", OFFER, "bare_metal: false", "bare_metal: maybe", "bare_metal:", 'found "maybe"', "Write `true` or `false`"),
    # words
    Broken("wrong unit", A1, "unit: W", "unit: kW", "power:", "`power.unit` kW is not a unit of this quantity: allowed W", "Convert the value and write `unit: W`"),
    Broken("unit in wrong case", A1, "unit: GB,", "unit: gb,", "memory:", "`memory.unit` gb is not a unit", "Write `GB`"),
    Broken("misspelt choice", OFFER, "commitment: on-demand", "commitment: ondemand", "commitment:", '"ondemand" is not one of: on-demand', "Did you mean `on-demand`?"),
    Broken("unknown choice", OFFER, "currency: CNY", "currency: 元", "currency:", '`currency` "元" is not one of: CNY, USD', "Choose CNY or USD"),
    Broken("unknown flag", A1, "[modified, no-vendor-warranty]", "[noisy]", "flags:", '`flags[1]` "noisy" is not one of', "Choose no-vendor-warranty"),
    Broken("false where text is needed", A1, "vendor: Maker", "vendor: false", "vendor:", "`vendor` takes text, found false", "in quotes"),
    Broken("space at the end", A1, "vendor: Maker", "vendor: 'Maker '", "vendor:", "`vendor` begins or ends with a space", "Delete the space"),
    Broken("HTML", A1, "note_zh: 一张卡", "note_zh: a <script>x</script>", "note_zh:", "`note_zh` contains HTML", "plain text"),
    # dates
    Broken("day in another order", OFFER, "read: 2026-11-30", "read: 30/11/2026", "read:", '`read` "30/11/2026" is not a day', "Write it as YYYY-MM-DD"),
    Broken("month where a day is needed", OFFER, "read: 2026-11-30", "read: 2026-11", "read:", '`read` "2026-11" is not a day', "YYYY-MM-DD"),
    Broken("day with a time", OFFER, "read: 2026-11-30", "read: 2026-11-30T10:00:00Z", "read:", "is not a day", "without a time"),
    Broken("day outside the calendar", OFFER, "read: 2026-11-30", "read: 2026-11-31", "read:", "`read` 2026-11-31 is not in the calendar", "Check the month and the day"),
    Broken("day in the future", OFFER, "read: 2026-11-30", "read: 2026-12-01", "read:", "`read` 2026-12-01 lies after today, 2026-11-30", "on which you read the source"),
    Broken("year too early", OFFER, "read: 2026-11-30", "read: 0206-11-30", "read:", "`read` 0206-11-30 lies before 1990", "Check the year"),
    Broken("quarter for a date", A1, "released: 2024-05", "released: Q2 2024", "released:", '`released` "Q2 2024" is not a date', "YYYY, YYYY-MM or YYYY-MM-DD"),
    Broken("month 13", OFFER, "date: 2026-07", "date: 2026-13", "date:", "`date` 2026-13 is not in the calendar", "Check the month"),
    # addresses
    Broken("address without scheme", "sources/maker-page", "https://example.com", "example.com", "url:", '"example.com/cards/a1" is not a web address', "Begin it with https://"),
    Broken("file address", "sources/maker-page", "https://example.com", "file:///home", "url:", "is not a web address", "https://"),
    Broken("local address", "sources/maker-page", "https://example.com", "http://localhost:8000", "url:", "is not a public web address", "one host with a dot"),
    Broken("address with a space", "sources/maker-page", "cards/a1", "cards/a 1", "url:", "is not a public web address", "no spaces"),
)  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: b.cause)
def test_broken_field(tmp_path: Path, broken: Broken) -> None:
    root = write(tmp_path)
    text = dedent(FILES[broken.file])
    assert text.count(broken.old) >= 1, "the sample no longer has what this case edits"
    text = text.replace(broken.old, broken.new, 1)
    file = root / f"{broken.file}.yaml"
    file.write_text(text, encoding="utf-8")
    found = [p for p in check(root, TODAY) if p.path == file.as_posix()]
    expected_line = next(i for i, line in enumerate(text.splitlines(), 1) if broken.at in line)
    assert [(p.line, broken.message in p.message, broken.mend in p.mend) for p in found] == [(expected_line, True, True)], found


def test_the_table_names_forty_distinct_causes() -> None:
    causes = {b.cause for b in BROKEN}
    assert len(causes) == len(BROKEN) >= 40
    assert len({(b.message, b.mend) for b in BROKEN}) >= 60


@dataclass(frozen=True)
class BadFile:
    """A file that should not be there, or not be like this; `path` below the catalog."""

    cause: str
    path: str
    content: bytes
    message: str
    mend: str
    line: int = 1


BAD_FILES = (
    BadFile("empty file", "sources/maker-page.yaml", b"", "the file is empty", "delete the file"),
    BadFile("blank file", "sources/maker-page.yaml", b"\n \n", "the file is empty", "Write the record"),
    BadFile("only comments", "sources/maker-page.yaml", b"# later\n", "only comments", "Write the record"),
    BadFile("a list at the top", "sources/maker-page.yaml", b"- id: maker-page\n", "holds a list", "Write one `key: value`"),
    BadFile(
        "bare text at the top", "sources/maker-page.yaml", b"\nmaker page\n", "the bare text 'maker page'", "`key: value`", 2
    ),
    BadFile("not UTF-8", "sources/maker-page.yaml", b"id: maker-page\ntitle: caf\xe9\n", "not UTF-8", "Save it as UTF-8", 2),
    BadFile("too large", "sources/maker-page.yaml", b"#" * (LARGEST_FILE + 1), "more than 262144", "one small file"),
    BadFile("wrong extension", "sources/extra.yml", b"id: extra\n", "wrong extension .yml", "Rename the file to extra.yaml"),
    BadFile("JSON", "sources/extra.json", b"{}", "wrong extension .json", "extra.yaml"),
    BadFile("upper-case extension", "sources/extra.YAML", b"id: extra\n", "wrong extension .YAML", "extra.yaml"),
    BadFile("stray file", "sources/notes.txt", b"x", "stray file in sources/", "move or delete it"),
    BadFile(
        "upper case",
        "sources/Maker_Page.yaml",
        b"id: Maker_Page\n",
        "Maker_Page.yaml is not lowercase",
        "Rename it to maker-page",
    ),
    BadFile("name without letters", "sources/卡.yaml", b"id: x\n", "is not lowercase letters", "a-short-name.yaml"),
    BadFile("stray folder", "sources/2026/shop.yaml", b"id: shop\n", "stray folder in sources/", "Collections are flat"),
    BadFile(
        "file beside the collections", "card.yaml", b"id: card\n", "card.yaml beside the collections", "Move it into sources"
    ),
    BadFile(
        "misspelt collection", "acelerators/x.yaml", b"id: x\n", "unknown folder acelerators/", "Did you mean `accelerators`"
    ),
    BadFile("unknown collection", "zzz/x.yaml", b"id: x\n", "unknown folder zzz/", "Collections are: sources, accelerators"),
)


@pytest.mark.parametrize("bad", BAD_FILES, ids=lambda b: b.cause)
def test_bad_file(tmp_path: Path, bad: BadFile) -> None:
    root = write(tmp_path)
    file = root / bad.path
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(bad.content)
    blamed = (root / bad.path.partition("/")[0], file.parent, file)
    found = [p for p in check(root, TODAY) if p.path in {b.as_posix() for b in blamed}]
    assert [(p.line, bad.message in p.message, bad.mend in p.mend) for p in found] == [(bad.line, True, True)], found


def test_symbolic_link(tmp_path: Path) -> None:
    root = write(tmp_path)
    (root / "sources" / "extra.yaml").symlink_to(root / "sources" / "shop.yaml")
    (found,) = check(root, TODAY)
    assert "symbolic link" in found.message
    assert "Put the file itself" in found.mend


def test_no_catalog(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent"):
        (found,) = check(path, TODAY)
        assert "no catalog is here" in found.message
        assert "sources, accelerators" in found.mend


def test_sample_is_valid(tmp_path: Path) -> None:
    assert check(write(tmp_path), TODAY) == []


def test_all_problems_come_together(tmp_path: Path) -> None:
    root = write(tmp_path)
    for name, old, new in (
        ("sources/shop", "publisher: Shop", "publisher:"),
        (OFFER, "amount: 40", "amount: forty"),
        (OFFER, "kind: quoted", "kind: heard"),
        ("servers/box-8", "accelerator: card-a1", "accelerator: card-a9"),
    ):
        file = root / f"{name}.yaml"
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogErrors) as raised:
        load(root, TODAY)
    errors = raised.value.errors
    assert [(Path(e.path).stem, e.line) for e in errors] == [
        ("shop-a1-hour", 5),
        ("shop-a1-hour", 13),
        ("box-8", 4),
        ("shop", 3),
    ]
    assert str(raised.value).splitlines() == [str(e) for e in errors]


def test_a_broken_file_does_not_break_what_refers_to_it(tmp_path: Path) -> None:
    root = write(tmp_path)
    (root / "accelerators" / "card-a1.yaml").write_text("id: [", encoding="utf-8")
    assert {Path(p.path).name for p in check(root, TODAY)} == {"card-a1.yaml"}


def test_one_file_is_checked_in_the_light_of_its_catalog(tmp_path: Path) -> None:
    root = write(tmp_path)
    good, bad = root / "sources" / "shop.yaml", root / "servers" / "box-8.yaml"
    bad.write_text(bad.read_text(encoding="utf-8").replace("card-a1", "card-a9"), encoding="utf-8")
    assert check(good, TODAY) == []
    assert [p.path for p in check(bad, TODAY)] == [bad.as_posix()]


def test_paths_are_shown_from_where_the_contributor_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "catalog")
    (root / "sources" / "shop.yaml").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert [p.path for p in check(root, TODAY)] == ["catalog/sources/shop.yaml"]


def test_a_problem_reads_as_one_line() -> None:
    assert str(Problem("a/b.yaml", 7, "`x` is empty", "Delete it.")) == "a/b.yaml:7: `x` is empty. Delete it."


def test_byte_order_mark_and_windows_lines_are_read(tmp_path: Path) -> None:
    root = write(tmp_path)
    text = dedent(FILES["sources/shop"]).replace("\n", "\r\n")
    (root / "sources" / "shop.yaml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert check(root, TODAY) == []


def test_numbers_as_typed_stay_text_where_text_is_meant(tmp_path: Path) -> None:
    root = write(tmp_path)
    file = root / f"{A1}.yaml"
    text = file.read_text(encoding="utf-8").replace("released: 2024-05", "released: 2024").replace("Card A1", "3.10")
    file.write_text(text, encoding="utf-8")
    card = load(root, TODAY).accelerators["card-a1"]
    assert (card.released, card.name) == ("2024", "3.10")


def test_version_is_the_content_not_its_layout(tmp_path: Path) -> None:
    root = write(tmp_path)
    before = load(root, TODAY)
    file = root / f"{A1}.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text("# a remark\n" + text.replace("vendor: Maker", "vendor:   'Maker'"), encoding="utf-8")
    assert load(root, TODAY).version == before.version
    file.write_text(text.replace("vendor: Maker", "vendor: Other"), encoding="utf-8")
    assert load(root, TODAY).version != before.version
    assert before.date == "2026-11-30"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.one_of(
        st.binary(max_size=80),
        st.text(st.sampled_from("id: -[]{}'\"&*!%@#|>?,\n\t0.9e-+~"), max_size=60).map(str.encode),
        st.lists(st.sampled_from(dedent(FILES[A1]).splitlines()), max_size=25).map(lambda lines: "\n".join(lines).encode()),
    )
)
def test_whatever_a_file_holds_gives_problems_not_a_traceback(tmp_path: Path, content: bytes) -> None:
    root = write(tmp_path)
    file = root / f"{A1}.yaml"
    file.write_bytes(content)
    size = content.count(b"\n") + content.count(b"\r") + 1
    assert all(p.message and p.mend.endswith((".", "?")) and 1 <= p.line <= size for p in check(file, TODAY))
