"""Closed lists that several calculators offer: the catalog's models and cards, currencies, names with their labels."""

from collections.abc import Mapping
from typing import Any

from calculators.framework.spec import Choice, ChoiceMaker, choice
from calculators.framework.text import Text
from catalog.model import Catalog

CURRENCIES = (Choice("USD", Text("US dollar", "美元")), Choice("CNY", Text("Chinese yuan", "人民币")))


def choices(names: Mapping[str, Text]) -> tuple[Choice, ...]:
    """A closed list from ids and labels."""
    return tuple(Choice(value, label) for value, label in names.items())


def models(catalog: Catalog) -> tuple[Choice, ...]:
    """The catalog's language models, by publisher."""
    return tuple(Choice(m.id, Text(m.name), Text(m.publisher)) for m in catalog.models.values())


def writing_models(catalog: Catalog) -> tuple[Choice, ...]:
    """Those that write text: no encoders, no models without a head."""
    silent = {m.id for m in catalog.models.values() if m.architecture.encoder or m.architecture.headless}
    return tuple(c for c in models(catalog) if c.value not in silent)


def model_input(default: str, group: Text, offered: ChoiceMaker = models) -> Any:
    """The field `model`: one of the catalog's language models."""
    help = Text("An open-weight model of the catalog.", "目录中的开放权重模型。")
    return choice(Text("Model", "模型"), default, offered, group=group, help=help)


def cards(catalog: Catalog) -> tuple[Choice, ...]:
    """The catalog's accelerators, by maker."""
    return tuple(Choice(a.id, Text(a.name, a.name_zh), Text(a.vendor)) for a in catalog.accelerators.values())


def currency_input(group: Text) -> Any:
    """The field in which prices are asked for."""
    return choice(
        Text("Currency", "货币"),
        "USD",
        CURRENCIES,
        group=group,
        help=Text(
            "Prices in the other currency are converted at the catalog's dated rate.",
            "另一种货币的价格按目录中注明日期的汇率换算。",
        ),
    )
