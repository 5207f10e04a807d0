"""The one door to the calculators: JSON in, JSON out, for the browser, the command line and the tests alike.

`use(catalog)` once, then `call(id, request)`. A request is an object of input fields, plus the reserved keys `lang`
("en" or "zh"), `view` (true adds HTML fragments for a page), `v` and `data` (from a link; ignored here).
Whatever comes in, JSON comes out: an answer, or an error that names the field. Never a traceback, NaN or Infinity.
"""

import json
from typing import Any

from calculators import registry
from calculators.framework.spec import InputError, Working
from calculators.framework.text import LANGUAGES, Lang, Text
from calculators.framework.validate import BadInput, FieldError, check
from calculators.framework.view import answer_data, view_data
from catalog.model import Catalog, from_json

RESERVED = ("lang", "view", "v", "data")
LONGEST_REQUEST = 100_000

_catalog: Catalog | None = None


def use(catalog: Catalog) -> None:
    """Set the catalog that every later call reads."""
    global _catalog
    _catalog = catalog


def use_json(text: str) -> None:
    """Set the catalog from its compiled JSON: what the browser does."""
    use(from_json(text))


def call(id: str, request: str) -> str:
    """Answer one request. Raises RuntimeError only if `use` was never called: a fault of the caller, not of the reader."""
    if _catalog is None:
        raise RuntimeError("call calculators.bridge.use(catalog) first")
    return json.dumps(_respond(id, request, _catalog), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _respond(id: str, request: str, catalog: Catalog) -> dict[str, Any]:
    lang: Lang = "en"
    try:
        raw = _parse(request)
    except ValueError:
        return _error("bad-json", Text("The request is not a JSON object.", "请求不是 JSON 对象。"), lang)
    wanted = raw.pop("lang", "en")
    if wanted not in LANGUAGES:
        text = Text("“lang” must be en or zh.", "“lang” 只能是 en 或 zh。")
        return _error("bad-input", text, lang, [FieldError("lang", text.get(lang))])
    lang = wanted
    view = raw.pop("view", False) is True
    for key in ("v", "data"):
        raw.pop(key, None)
    calculator = registry.find(id)
    if calculator is None:
        listed = ", ".join(registry.ids())
        text = Text(f"There is no such calculator. There are: {listed}.", f"没有这个计算器。现有：{listed}。")
        return _error("unknown-calculator", text, lang)
    try:
        inputs = check(calculator, raw, catalog, lang)
        working = Working()
        answer = calculator.compute(inputs, catalog, working)
    except BadInput as bad:
        return _error("bad-input", Text("Some fields need mending.", "有字段需要修改。"), lang, bad.errors)
    except InputError as bad:
        return _error("bad-input", bad.message, lang, [FieldError(bad.field, bad.message.get(lang))])
    except (OverflowError, ZeroDivisionError):
        text = Text("These inputs together give a number too large to compute.", "这些输入组合得到的数值过大，无法计算。")
        return _error("bad-input", text, lang, [])
    data = answer_data(calculator, inputs, answer, working, catalog, lang)
    if view:
        data["view"] = view_data(calculator, inputs, answer, working, catalog, lang)
    return data


def _parse(request: str) -> dict[str, Any]:
    if len(request) > LONGEST_REQUEST:
        raise ValueError("too long")
    try:
        raw = json.loads(request)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(raw, dict):
        raise ValueError("not an object")
    return raw


def _error(code: str, message: Text, lang: Lang, fields: list[FieldError] | None = None) -> dict[str, Any]:
    listed = [
        {"field": f.field, "message": f.message} | {k: v for k, v in (("low", f.low), ("high", f.high)) if v is not None}
        for f in fields or []
    ]
    return {"error": {"code": code, "message": message.get(lang), "fields": listed}}
