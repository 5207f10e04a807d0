"""The page families: which pages the catalog and the calculators give, and what each template is told.

In: the `Site`. Out: `Page`s. A new record or module gives a new page, without an edit here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from calculators.memory.params import parameter_groups
from catalog.model import COLLECTIONS, Accelerator, Catalog, Offer, plain
from sitebuild.pages.claims import recompute
from sitebuild.pages.contribute import annotated
from sitebuild.pages.fit import all_fits
from sitebuild.pages.measured import STATUSES, cases, kind_name, quantity, summaries
from sitebuild.pages.site import Page, Site


def pages(site: Site) -> Iterator[Page]:
    """All pages that are made from records, in no particular order."""
    c = site.catalog
    yield Page("accelerators", "accelerators.md.j2", {"rows": list(c.accelerators.values())})
    fits = all_fits(c, site.calculators, site.memo)
    size = {m.id: parameter_groups(m.architecture).total for m in c.models.values()}
    for a in c.accelerators.values():
        with_it = [s for s in c.servers.values() if s.accelerator == a.id]
        about = {
            "a": a,
            "offers": offers_for(c, a),
            # fewest cards first, and of those the largest model
            "fits": sorted((f for f in fits if f.accelerator == a.id), key=lambda f: (f.order, -size[f.model])),
            "servers": with_it,
        }
        yield Page(f"accelerators/{a.id}", "accelerator.md.j2", about)
    yield Page("models", "models.md.j2", {"rows": list(c.models.values())})
    for m in c.models.values():
        yield Page(f"models/{m.id}", "model.md.j2", {"m": m, "fits": [f for f in fits if f.model == m.id]})
    yield Page("servers", "servers.md.j2", {"rows": list(c.servers.values())})
    for s in c.servers.values():
        yield Page(f"servers/{s.id}", "server.md.j2", {"s": s})
    yield Page("offers", "offers.md.j2", {"rows": [o for a in c.accelerators.values() for o in offers_for(c, a)]})
    claims = [(table, recompute(table, c)) for table in c.claims.values()]
    yield Page("prices-claimed", "claimed.md.j2", {"claims": claims})
    yield Page("rules", "rules.md.j2", {"groups": by_flag(c)})
    yield Page("calculators", "calculators.md.j2", {"ids": site.calculators})
    for id in site.calculators:
        yield Page(f"calculators/{id}", "calculator.md.j2", {"id": id})
    used = uses(c)
    yield Page(
        "about/sources", "sources.md.j2", {"rows": sorted(c.sources.values(), key=lambda s: -used.get(s.id, 0)), "used": used}
    )
    rows = cases(site.root, c, site.memo)
    evidence = {"rows": rows, "summaries": summaries(rows), "name": lambda r: kind_name(quantity(r)), "statuses": STATUSES}
    yield Page("about/cases", "measured.md.j2", evidence)
    yield Page("about/contribute", "contribute.md.j2", {"annotated": annotated})


def offers_for(catalog: Catalog, a: Accelerator) -> list[Offer]:
    """The offers of an accelerator, rents first, cheapest per hour first."""

    def order(o: Offer) -> tuple[bool, float]:
        hourly = o.per_accelerator_hour()
        return hourly is None, catalog.convert(hourly or o.amount, o.currency, "USD")

    return sorted((o for o in catalog.offers.values() if o.accelerator == a.id), key=order)


@dataclass(frozen=True, slots=True)
class Flagged:
    """The accelerators that carry a flag."""

    flag: str
    accelerators: tuple[Accelerator, ...]


def by_flag(catalog: Catalog) -> dict[str, Flagged]:
    """Flag -> who carries it; flags that nobody carries are left out."""
    found: dict[str, list[Accelerator]] = {}
    for a in catalog.accelerators.values():
        for flag in a.flags:
            found.setdefault(flag, []).append(a)
    return {flag: Flagged(flag, tuple(who)) for flag, who in found.items()}


def uses(catalog: Catalog) -> dict[str, int]:
    """Source id -> how many values and records of the catalog rest on it."""
    count: dict[str, int] = {}

    def walk(data: object) -> None:
        if isinstance(data, dict):
            source = data.get("source")
            if isinstance(source, str):
                count[source] = count.get(source, 0) + 1
            for value in data.values():
                walk(value)
        elif isinstance(data, list):
            for value in data:
                walk(value)

    for name in COLLECTIONS:
        if name != "sources":
            for record in getattr(catalog, name).values():
                walk(plain(record))
    return count
