"""The one door to the calculators: JSON in, JSON out, for the browser, the command line and the tests alike.

`use(catalog)` once, then `call(id, request)`. A request is an object of input fields, plus the reserved keys
`lang`      "en" or "zh".
`view`      true adds HTML fragments for a page.
`sweep`     `{"field", "values"}`: many values of one field, curves instead of an answer (`framework/sweep.py`).
`simulate`  true: the answer rests on the long run's draws. "begin" starts such a run, `{"run", "draws"}` draws on: the reply is
            `{"simulation": {run, done, of}}` until the whole answer comes (`uncertainty/longrun.py`).
`export`    "csv", "json", "md" or `{"format", "table"?, "address"?}`: a file's text instead of an answer (`framework/export.py`).
`compare`   `[{field: value, …}, …]`: these inputs beside those (`framework/compare.py`).
`v`, `data` from a link; ignored here.
Whatever comes in, JSON comes out: an answer, or an error that names the field. Never a traceback, NaN or Infinity.
"""

import json
import re
from typing import Any

from calculators import registry
from calculators.framework.spec import Calculator, InputError, Working
from calculators.framework.sweep import sweep_data
from calculators.framework.text import LANGUAGES, Lang, Text
from calculators.framework.validate import BadInput, FieldError, check
from calculators.framework.view import answer_data, view_data
from catalog.model import Catalog, from_json

RESERVED = ("lang", "view", "sweep", "simulate", "export", "compare", "v", "data")
LONGEST_REQUEST = 100_000
LONGEST_FILE = 30_000_000
"""A longer request may hold one file as text; what stands around the text stays short."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)

_TOO_LONG = Text(f"The request is longer than {LONGEST_REQUEST:,} characters.", f"请求超过 {LONGEST_REQUEST:,} 个字符。")
_TOO_DEEP = Text(
    "The request is nested too deeply: give a flat object of fields.", "请求嵌套过深：请给出由字段组成的单层对象。"
)
_NO_OBJECT = Text('The request is no JSON object: write {"field": value}.', '请求不是 JSON 对象：请写成 {"字段": 值}。')

_held: list[Catalog] = []  # at most one: the catalog that every call reads


class _NotUsable(Exception):
    """A request that is no JSON object."""

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


def use(catalog: Catalog) -> None:
    """Set the catalog that every later call reads."""
    _held[:] = [catalog]


def use_json(text: str) -> None:
    """Set the catalog from its compiled JSON: what the browser does."""
    use(from_json(text))


def call(id: str, request: str) -> str:
    """Answer one request. Raises RuntimeError only if `use` was never called: a fault of the caller, not of the reader."""
    if not _held:
        raise RuntimeError("call calculators.bridge.use(catalog) first")
    return json.dumps(_respond(id, request, _held[0]), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _respond(id: str, request: str, catalog: Catalog) -> dict[str, Any]:
    lang: Lang = "en"
    try:
        raw = _parse(request)
    except _NotUsable as bad:
        return _error("bad-json", bad.message, lang)
    wanted = raw.pop("lang", "en")
    if wanted not in LANGUAGES:
        text = Text("“lang” must be en or zh.", "“lang” 只能是 en 或 zh。")
        return _error("bad-input", text, lang, [FieldError("lang", text.get(lang))])
    lang = wanted
    asked: dict[str, Any] = {key: raw.pop(key) for key in ("view", "sweep", "simulate", "export", "compare") if key in raw}
    for key in ("v", "data"):
        raw.pop(key, None)
    calculator = registry.find(id)
    if calculator is None:
        listed = ", ".join(registry.ids())
        text = Text(f"There is no such calculator. There are: {listed}.", f"没有这个计算器。现有：{listed}。")
        return _error("unknown-calculator", text, lang)
    try:
        inputs = check(calculator, raw, catalog, lang)
        return _reply(calculator, inputs, asked, catalog, lang)
    except BadInput as bad:
        return _error("bad-input", Text("Some fields need mending.", "有字段需要修改。"), lang, bad.errors)
    except InputError as bad:
        return _error("bad-input", bad.message, lang, [FieldError(bad.field, bad.message.get(lang))])
    except (OverflowError, ZeroDivisionError):
        text = Text("These inputs together give a number too large to compute.", "这些输入组合得到的数值过大，无法计算。")
        return _error("bad-input", text, lang, [])


def _reply(calculator: Calculator, inputs: Any, asked: dict[str, Any], catalog: Catalog, lang: Lang) -> dict[str, Any]:
    """The answer, or what was asked instead. What few requests ask is loaded when it is asked: a page's start does without."""
    if (sweep := asked.get("sweep")) is not None:
        return sweep_data(calculator, inputs, sweep, catalog, lang)
    if (others := asked.get("compare")) is not None:
        from calculators.framework.compare import compared  # noqa: PLC0415 - see above

        return compared(calculator, inputs, others, catalog, lang)
    drawn = None
    if (simulate := asked.get("simulate")) not in (None, False):
        from calculators.uncertainty.longrun import asked_for  # noqa: PLC0415 - see above

        found = asked_for(calculator, inputs, simulate, catalog, lang)
        if isinstance(found, dict):
            return found
        drawn = found
    working = Working(drawn)
    answer = calculator.compute(inputs, catalog, working)
    if (export := asked.get("export")) is not None:
        from calculators.framework.export import exported  # noqa: PLC0415 - see above

        return exported(calculator, inputs, answer, working, catalog, lang, export)
    data = answer_data(calculator, inputs, answer, working, catalog, lang)
    if asked.get("view") is True:
        data["view"] = view_data(calculator, inputs, answer, working, catalog, lang)
    return data


def _parse(request: str) -> dict[str, Any]:
    if len(request) > LONGEST_REQUEST and not _holds_a_file(request):
        raise _NotUsable(_TOO_LONG)
    try:
        raw = json.loads(request, parse_constant=_no_constant, object_pairs_hook=_no_twice)
    except RecursionError as error:
        raise _NotUsable(_TOO_DEEP) from error
    except json.JSONDecodeError as error:
        where = Text(f"line {error.lineno}, column {error.colno}", f"第 {error.lineno} 行第 {error.colno} 列")
        raise _NotUsable(Text(f"This is not JSON ({where.en}).", f"这不是 JSON（{where.zh}）。")) from error
    if not isinstance(raw, dict):
        raise _NotUsable(_NO_OBJECT)
    return raw


def _holds_a_file(request: str) -> bool:
    """A long request that is short without its texts: nothing large is built from it but those texts."""
    if len(request) > LONGEST_FILE:
        return False
    around = len(request)
    for count, found in enumerate(_STRING.finditer(request)):
        around -= found.end() - found.start()
        if count > 200:
            return False
    return around <= 2000


def _no_constant(name: str) -> Any:
    raise _NotUsable(Text(f"{name} is no JSON number: write a finite one.", f"{name} 不是 JSON 数字：请写有限的数。"))


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            shown = key[:64]
            raise _NotUsable(Text(f"The field “{shown}” is given twice: keep one.", f"字段“{shown}”出现了两次：请只保留一个。"))
        found[key] = value
    return found


def _error(code: str, message: Text, lang: Lang, fields: list[FieldError] | None = None) -> dict[str, Any]:
    listed = [
        {"field": f.field, "message": f.message} | {k: v for k, v in (("low", f.low), ("high", f.high)) if v is not None}
        for f in fields or []
    ]
    return {"error": {"code": code, "message": message.get(lang), "fields": listed}}
