"""`gpuguide`: the calculators and the catalog's checks from a shell.

Standard output carries JSON only (or help, or with `--format` a CSV or a Markdown file's text); an error is JSON too, with exit
code 2. `gpuguide calc ID` takes the request whole (`--json`), from standard input (`--json -`), or one flag per input, derived
from the calculator. `gpuguide import FILE`
tells what a model's file or a server's command line says; `--model-file FILE` hands the same to a calculator.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from calculators import bridge, registry
from calculators.framework.schema import schema
from calculators.framework.spec import Calculator, Field
from calculators.framework.text import LANGUAGES, Lang, Text, quantity
from calculators.importing.choose import known_model
from calculators.importing.gguf_file import LONGEST_HEADER
from calculators.importing.reading import compact, compact_bytes, read
from calculators.importing.record import LONGEST, Unusable
from calculators.memory.params import parameter_groups
from catalog import load
from catalog.model import Catalog, plain


class _Parser(argparse.ArgumentParser):
    """Says what is wrong as JSON, as everything else here does."""

    def error(self, message: str) -> NoReturn:
        _fail("usage", f"{message}. See {self.prog} --help.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = _parser()
    known, rest = parser.parse_known_args(words)
    match known.command:
        case "list":
            return _no_more(rest) or _list(known.lang)
        case "calc":
            return _calc(known, rest)
        case "import":
            return _no_more(rest) or _import(known.file, known.lang)
        case _:
            return _no_more(rest) or _catalog_check(known.path)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="gpuguide", description="Calculators and catalog of the GPU Server Guide.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    listing = commands.add_parser("list", help="the calculators, with their inputs and outputs")
    listing.add_argument("--lang", choices=LANGUAGES, default="en")
    calc = commands.add_parser("calc", help="run one calculator", add_help=False)
    calc.add_argument("id", nargs="?")
    calc.add_argument("--json", metavar="REQUEST", help="the request as a JSON object, or - to read it from standard input")
    calc.add_argument("--schema", action="store_true", help="print the request's JSON Schema")
    calc.add_argument("--format", choices=("json", "csv", "md"), default="json", help="the answer as JSON, or as a file's text")
    calc.add_argument("--table", metavar="ID", help="with --format csv: one table alone, by its id, or inputs, or outputs")
    calc.add_argument("--simulate", action="store_true", help="all draws of the long run, where the answer rests on draws")
    calc.add_argument(
        "--model-file", metavar="FILE", help="the model of a file, instead of the catalog's (see gpuguide import)"
    )
    calc.add_argument("--lang", choices=LANGUAGES, default="en")
    calc.add_argument("-h", "--help", action="store_true")
    importing = commands.add_parser(
        "import",
        help="what a config.json, a .safetensors or .gguf header, an index or a vllm serve / llama-server command says of a model",
    )
    importing.add_argument(
        "file", metavar="FILE", help="the file, of any size: only its header is read; - reads text from standard input"
    )
    importing.add_argument("--lang", choices=LANGUAGES, default="en")
    catalog = commands.add_parser("catalog", help="the facts")
    checks = catalog.add_subparsers(dest="action", required=True, parser_class=_Parser)
    check = checks.add_parser("check", help="check every file; prints file:line and how to mend")
    check.add_argument("path", nargs="?", type=Path, default=None)
    return parser


def _no_more(rest: list[str]) -> int:
    if rest:
        _fail("usage", f"unknown words: {' '.join(rest)}. See gpuguide --help.")
    return 0


def _list(lang: Lang) -> int:
    catalog = _load()
    found = [
        {
            "id": calculator.id,
            "version": calculator.version,
            "title": calculator.title.get(lang),
            "summary": calculator.summary.get(lang),
            "inputs": list(calculator.fields()),
            "outputs": list(calculator.results()),
            "catalog": catalog.version,
        }
        for calculator in _all()
    ]
    _print(found)
    return 0


def _all() -> list[Calculator]:
    return [c for id in registry.ids() if (c := registry.find(id)) is not None]


def _calc(known: argparse.Namespace, rest: list[str]) -> int:
    if not known.id:
        if known.help:
            sys.stdout.write(
                f"usage: gpuguide calc ID [--json REQUEST | --FIELD VALUE …] [--model-file FILE] [--schema] [--format json|csv|md] [--table ID] [--simulate] [--lang en|zh]\nID: {', '.join(registry.ids())}\n"
            )
            return 0
        _fail("usage", f"name a calculator: {', '.join(registry.ids())}.")
    calculator = registry.find(known.id)
    catalog = _load()
    bridge.use(catalog)
    if calculator is None:
        return _answer(bridge.call(known.id, "{}"))
    if known.help:
        _flags(calculator, catalog, known.lang).print_help()
        return 0
    if known.schema:
        _print(schema(calculator, catalog, known.lang))
        return 0
    flags = {k: v for k, v in vars(_flags(calculator, catalog, known.lang).parse_args(rest)).items() if v is not None}
    if known.model_file is not None:
        if "config" not in calculator.fields():
            _fail("usage", f"{calculator.id} takes no model: leave out --model-file.")
        flags["config"] = _imported(known.model_file, known.lang)
    if known.table is not None and known.format != "csv":
        _fail("usage", "--table goes with --format csv.")
    more = _more(known)
    if known.json is None:
        return _answer(bridge.call(calculator.id, json.dumps({**flags, "lang": known.lang, **more})))
    if flags:
        _fail("usage", "give either --json or single flags, not both.")
    text = sys.stdin.read() if known.json == "-" else known.json
    return _answer(bridge.call(calculator.id, _with(text, {"lang": known.lang} | more)))


def _more(known: argparse.Namespace) -> dict[str, Any]:
    """What the flags ask besides the inputs."""
    more: dict[str, Any] = {"simulate": True} if known.simulate else {}
    if known.format != "json":
        more["export"] = {"format": known.format} | ({"table": known.table} if known.table else {})
    return more


def _import(file: str, lang: Lang) -> int:
    """What the file says, and which inputs of `vram-inference` follow from it."""
    text = _imported(file, lang)
    found = read(text)
    catalog = _load()
    named = known_model(found.model, catalog) if found.model else None
    counted = parameter_groups(found.architecture) if found.architecture is not None else None
    groups = counted.groups if counted else dict(found.parameters)
    suggested: dict[str, Any] = {"model": named.id} if named else {"config": text} if found.architecture else {}
    if found.weight_format:
        suggested["weight_format"] = found.weight_format
    _print(
        {
            "kind": found.kind,
            "name": found.name,
            "architecture": plain(found.architecture) if found.architecture else None,
            "parameters": {name: count for name, count in groups.items() if count},
            "total": sum(groups.values()) or None,
            "active": counted.active if counted else None,
            "bytes": found.bytes or None,
            "understood": list(found.understood),
            "not_understood": [{"key": u.key, "changes": u.changes.get(lang)} for u in found.not_understood],
            "notes": [n.get(lang) for n in found.notes],
            "inputs": suggested | dict(found.settings),
            "config": text,
        }
    )
    return 0


def _imported(file: str, lang: Lang) -> str:
    """The short form of the model in a file; ends with an error as JSON where there is none."""
    try:
        if file == "-":
            return compact(sys.stdin.read(LONGEST + 1))
        with Path(file).open("rb") as opened:
            return compact_bytes(opened.read(LONGEST_HEADER), Path(file).name)
    except OSError as error:
        _fail("file", f"{file}: {error.strerror or error}.")
    except UnicodeDecodeError:
        _fail(
            "bad-input",
            Text("Standard input takes text only: name the file instead.", "标准输入只接受文本：请改为给出文件名。").get(lang),
        )
    except Unusable as bad:
        _fail("bad-input", bad.message.get(lang))


def _with(text: str, keys: dict[str, Any]) -> str:
    """The request with what the flags ask, unless it names its own; what is no object goes on as it is.

    The text itself goes on, so that what it says twice, or what is no JSON number, is refused where it is judged.
    """
    try:
        request = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(request, dict):
        return text
    added = json.dumps({k: v for k, v in keys.items() if k not in request})[1:-1]
    rest = text.lstrip()[1:]
    return f"{{{added}{', ' if request and added else ''}{rest}"


def _flags(calculator: Calculator, catalog: Catalog, lang: Lang) -> argparse.ArgumentParser:
    """One flag per input, its help made from the field."""
    parser = _Parser(
        prog=f"gpuguide calc {calculator.id}", description=calculator.summary.get(lang), add_help=False, allow_abbrev=False
    )
    defaults = calculator.defaults()
    for name, spec in calculator.fields().items():
        parser.add_argument(
            f"--{name.replace('_', '-')}", dest=name, metavar=spec.type.upper(), help=_help(spec, defaults[name], catalog, lang)
        )
    return parser


def _help(spec: Field, default: Any, catalog: Catalog, lang: Lang) -> str:
    text = f"{spec.label.get(lang)}. {spec.help.get(lang)}"
    if spec.low is not None and spec.high is not None:
        text += f" [{quantity(spec.low, spec.unit, lang)} … {quantity(spec.high, spec.unit, lang)}]"
    if spec.type in ("choice", "choices"):
        text += f" [{', '.join(c.value for c in spec.options(catalog))}]"
    shown = ",".join(default) if isinstance(default, tuple) else default
    return f"{text} (default: {shown})".replace("%", "%%")


def _answer(response: str) -> int:
    data = json.loads(response)
    if "export" in data:
        sys.stdout.write(data["export"]["text"])
        return 0
    _print(data)
    return 2 if "error" in data else 0


def _catalog_check(path: Path | None) -> int:
    problems = load.check(path)
    for problem in problems:
        sys.stdout.write(f"{problem}\n")
    sys.stdout.write(f"{len(problems)} problem{'s' if len(problems) > 1 else ''}\n" if problems else "catalog: no problems\n")
    return 2 if problems else 0


def _load() -> Catalog:
    try:
        return load.load(today=datetime.now(UTC).date())
    except load.CatalogErrors as errors:
        _fail("catalog", "; ".join(str(p) for p in errors.errors[:5]))


def _print(data: Any) -> None:
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def _fail(code: str, message: str) -> NoReturn:
    _print({"error": {"code": code, "message": message, "fields": []}})
    raise SystemExit(2)


if __name__ == "__main__":
    raise SystemExit(main())
