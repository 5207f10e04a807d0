"""`Inputs` and the catalog -> a `Plan`: every price and default resolved, with its origin, and what is missing.

In: the reader's inputs, the catalog. Out: `Plan`. An option whose price is unknown is absent, and `missing` names the field
that would price it: never a price of 0 for one that nobody knows. Raises InputError for inputs that make no sense together.
"""

from dataclasses import dataclass, replace

from calculators.costing.defaults import (
    ASSUMPTION,
    NETWORK_PERCENT,
    RATE,
    RESERVED_DISCOUNT,
    SPOT_HOURS,
    SPOT_SHARE,
    USE_SPREAD,
    Assumed,
    own_range,
    published,
    ranged,
    regional,
    vat_entered,
    western,
)
from calculators.costing.fields_money import Inputs
from calculators.costing.fields_rent import STEPS
from calculators.costing.model import (
    BARE_METAL,
    MONTHLY,
    ON_DEMAND,
    OPTIONS,
    OWNED,
    PURCHASE,
    RESERVED,
    SPOT,
    USED,
    Asset,
    Terms,
    Values,
)
from calculators.costing.workload import Stretch, stretches
from calculators.finance.tax import vat_factor
from calculators.framework.spec import InputError
from calculators.framework.text import Text, number
from calculators.market import prices
from calculators.market.prices import Price
from calculators.reliability.checkpoints import daly_high, t_wall_expected
from catalog.model import Catalog

LONGEST_WALL = 1000.0
"""Hours for an hour of work: beyond, spot is no way to get it done."""
MIDDLE = Text("the middle half of the catalog's offers", "目录报价的中间一半")


@dataclass(frozen=True)
class Plan:
    """The comparison, ready to be computed. `moves` are the uncertain numbers in the order of `Values`."""

    inputs: Inputs
    terms: Terms
    values: Values
    moves: tuple[Assumed, ...]
    vat: Assumed | None
    prices: dict[str, Price]
    missing: dict[str, str]
    kw_words: str
    kw_source: str


def _interrupted(i: Inputs, *, is_priced: bool) -> Assumed:
    """Hours between interruptions of spot machines. Raises InputError where the work would never end."""
    low, high, source = SPOT_HOURS
    made = ranged(i, "spot_interrupted_every", i.spot_interrupted_every, low, high, source, entered=False, known=False)
    if not is_priced or i.spot_goodput_percent is not None:
        return made
    saved, restart = i.spot_checkpoint_minutes / 60, i.spot_restart_minutes / 60
    if all(t_wall_expected(1.0, daly_high(saved, m), saved, restart, m) < LONGEST_WALL for m in (made.low, made.value)):
        return made
    raise InputError(
        "spot_interrupted_every",
        Text(
            "With interruptions so close together the work never ends: enter a longer time between them (also for its low), or a shorter checkpoint or restart.",
            "中断过于频繁，任务永远跑不完：请加大中断间隔（包括其低值），或缩短写检查点和恢复的时间。",
        ),
    )


def make_plan(i: Inputs, catalog: Catalog) -> Plan:
    """Fill in what the reader left empty."""
    work = _work(i)
    mean = sum((s.last - s.first) * s.hours for s in work) / i.horizon_months
    found, missing = _rents(i, catalog)
    capex = _capex(i, catalog, found, missing)
    kw = _kw(i, catalog)
    spot, reserved = _spot(i, found), western(i, "reserved_discount_percent", RESERVED_DISCOUNT)
    _derived(found, missing, spot, reserved)
    tariff, pue, colo, rate = (
        regional(i, catalog, name) for name in ("tariff", "pue", "colo_per_kw_month", "discount_rate_percent")
    )
    in_colo = i.hosting == "colo"
    energy = not (in_colo and i.colo_energy_included)
    gaps = (
        ("kw_per_accelerator", kw is None),
        ("tariff", energy and tariff is None),
        ("pue", not in_colo and pue is None),
        ("colo_per_kw_month", in_colo and colo is None),
    )
    for option in OWNED:
        if option not in missing and (gap := next((field for field, is_gap in gaps if is_gap), "")):
            missing[option] = gap
    moves = (
        _hours(i, mean, work),
        _offered(i, found, ON_DEMAND, "hourly_price"),
        published(i, "rent_decline_percent"),
        spot or own_range("spot_percent", 100.0),
        reserved or own_range("reserved_discount_percent", 0.0),
        capex or own_range("capex_per_accelerator", 0.0),
        published(i, "residual_percent"),
        published(i, "maintenance_percent"),
        tariff or own_range("tariff", 0.0),
        pue or own_range("pue", 1.0),
        colo or own_range("colo_per_kw_month", 0.0),
        rate or ranged(i, "discount_rate_percent", RATE[1], RATE[0], RATE[2], ASSUMPTION, entered=False, known=False),
        _interrupted(i, is_priced=SPOT not in missing),
        _offered(i, found, MONTHLY, "monthly_price"),
        _offered(i, found, BARE_METAL, "bare_metal_price", _days(i)),
        _offered(i, found, USED, "used_price_per_accelerator"),
    )
    vat = vat_entered(i)
    options = tuple(o for o in OPTIONS if o not in missing)
    terms = _terms(i, options, work, mean, found, kw[0] if kw else 0.0, vat)
    return Plan(
        i, terms, Values(*(m.value for m in moves)), moves, vat, found, missing, kw[1] if kw else "", kw[2] if kw else ""
    )


def _work(i: Inputs) -> tuple[Stretch, ...]:
    if i.profile is None and i.hours_per_month > i.month_hours:
        raise InputError("hours_per_month", _too_long(i))
    work = stretches(i.profile, i.hours_per_month, i.horizon_months)
    if max(s.hours for s in work) > i.month_hours:
        raise InputError("profile", _too_long(i))
    if max(s.hours for s in work) == 0:
        raise InputError(
            "profile",
            Text(
                "Within the horizon no month has work: enter a longer horizon, or work that begins earlier.",
                "比较期限内没有任何一个月有工作量：请延长期限，或让任务更早开始。",
            ),
        )
    return work


def _too_long(i: Inputs) -> Text:
    hours = number(i.month_hours)
    return Text(
        f"A month has {hours} hours here: enter at most that many, or raise “Hours in a month”.",
        f"这里一个月按 {hours} 小时计：请填写不超过该值的小时数，或调大“一个月的小时数”。",
    )


def _hours(i: Inputs, mean: float, work: tuple[Stretch, ...]) -> Assumed:
    """Use may be off by a share of itself, but no month can be longer than it is."""
    most = mean * i.month_hours / max(s.hours for s in work)
    spread, source = USE_SPREAD
    made = ranged(i, "hours_per_month", mean, mean * (1 - spread), mean * (1 + spread), source, entered=True, known=False)
    return replace(made, high=max(mean, min(most, made.high)))


def _days(i: Inputs) -> int:
    """How often a bare-metal price that the reader enters is paid in a month."""
    return prices.DAYS_PER_MONTH if i.bare_metal_per == "day" else 1


def _offered(i: Inputs, found: dict[str, Price], option: str, name: str, times: float = 1.0) -> Assumed:
    """A price with the middle half of the offers that it was chosen from; the reader's ends are of `times` the price entered."""
    price = found.get(option)
    if price is None:
        return own_range(name, 0.0)
    low = price.amount if price.lower is None else price.lower
    high = price.amount if price.upper is None else price.upper
    entered = getattr(i, name) is not None
    source = prices.ENTERED if entered else MIDDLE
    return ranged(i, name, price.amount, low, high, source, entered=entered, known=True, times=times)


def _rents(i: Inputs, catalog: Catalog) -> tuple[dict[str, Price], dict[str, str]]:
    found, missing = dict[str, Price](), dict[str, str]()
    own_metal = None if i.bare_metal_price is None else i.bare_metal_price * _days(i)
    asked: tuple[tuple[str, prices.RentKind, str, float | None], ...] = (
        (ON_DEMAND, "hourly", "hourly_price", i.hourly_price),
        (MONTHLY, "monthly", "monthly_price", i.monthly_price),
        (SPOT, "spot", "spot_price", i.spot_price),
        (BARE_METAL, "bare-metal", "bare_metal_price", own_metal),
    )
    for option, kind, field, own in asked:
        entered = own is not None or (option == SPOT and i.spot_percent is not None)
        price = (
            prices.entered(own)
            if own is not None
            else None
            if entered
            else prices.rent(catalog, i.accelerator, kind, i.currency)
        )
        if price is None:
            missing[option] = field
        else:
            found[option] = price
    if i.reserved_price is not None:
        found[RESERVED] = prices.entered(i.reserved_price)
    else:
        missing[RESERVED] = "reserved_discount_percent"
    return found, missing


def _spot(i: Inputs, found: dict[str, Price]) -> Assumed | None:
    """The spot price as a share of the on-demand price, so that both move together: the catalog's, else the published one."""
    offered, base = found.get(SPOT), found.get(ON_DEMAND)
    if offered is None or base is None or i.spot_price is not None:
        return western(i, "spot_percent", SPOT_SHARE)
    low, _, high, source = SPOT_SHARE
    return ranged(i, "spot_percent", 100 * offered.amount / base.amount, low, high, source, entered=False, known=True)


def _derived(found: dict[str, Price], missing: dict[str, str], spot: Assumed | None, reserved: Assumed | None) -> None:
    """Spot and reserved prices that follow from the on-demand price."""
    base = found.get(ON_DEMAND)
    for option, share in ((SPOT, spot), (RESERVED, reserved)):
        if option not in missing or share is None:
            continue
        if base is None:
            missing[option] = "hourly_price"
            continue
        factor = share.value / 100 if option == SPOT else 1 - share.value / 100
        words = (
            Text(f"{share.value:g} % of the on-demand price", f"按需价的 {share.value:g}%")
            if option == SPOT
            else Text(f"on-demand price less {share.value:g} %", f"按需价减 {share.value:g}%")
        )
        found[option] = Price(base.amount * factor, words, date=base.date, age_days=base.age_days, tax=base.tax)
        del missing[option]


def _capex(i: Inputs, catalog: Catalog, found: dict[str, Price], missing: dict[str, str]) -> Assumed | None:
    """Price of the new machine per accelerator; the second-hand one only where the reader enters it."""
    if i.used_price_per_accelerator is not None:
        found[USED] = prices.entered(i.used_price_per_accelerator)
    else:
        missing[USED] = "used_price_per_accelerator"
    name, premium = "capex_per_accelerator", 1 + i.server_premium_percent / 100
    if i.capex_per_accelerator is not None:
        found[PURCHASE] = prices.entered(i.capex_per_accelerator)
        return ranged(i, name, *(i.capex_per_accelerator,) * 3, prices.ENTERED, entered=True, known=True)
    if i.card_price is not None:
        found[PURCHASE] = replace(prices.entered(i.card_price), bare_card=True)
        return ranged(i, name, *(i.card_price * premium,) * 3, prices.ENTERED, entered=True, known=True)
    offered = prices.purchase(catalog, i.accelerator, i.currency)
    if offered is None:
        missing[PURCHASE] = name
        return None
    price, is_card = offered
    factor = premium if is_card else 1.0
    found[PURCHASE] = replace(price, bare_card=is_card)
    low = price.amount if price.lower is None else price.lower
    high = price.amount if price.upper is None else price.upper
    known = bool(price.confirmed) and not is_card
    return ranged(i, name, price.amount * factor, low * factor, high * factor, price.origin, entered=False, known=known)


def _kw(i: Inputs, catalog: Catalog) -> tuple[float, str, str] | None:
    if i.kw_per_accelerator is not None:
        return i.kw_per_accelerator, f"{i.kw_per_accelerator:g} kW", ""
    return prices.kw_at_load(catalog, i.accelerator, i.node_power_factor)


def _needed(i: Inputs, amount: float, field: str, name: Text) -> float:
    """A price that has no default, asked for only where there is something to price."""
    price: float | None = getattr(i, field)
    if amount and price is None:
        raise InputError(
            field,
            Text(
                f"Enter a price for {name.en}: there is no default, and it is not taken as 0.",
                f"请填写{name.zh}的价格：没有默认值，也不会按 0 计。",
            ),
        )
    return amount * (price or 0.0)


def _terms(
    i: Inputs,
    options: tuple[str, ...],
    work: tuple[Stretch, ...],
    mean: float,
    found: dict[str, Price],
    kw: float,
    vat: Assumed | None,
) -> Terms:
    goods = vat.value / 100 if vat else 0.0
    if vat is None and i.prices_include_vat == i.vat_recoverable:
        raise InputError(
            "vat_percent",
            Text(
                "Enter the rate of VAT: it decides what you pay.",
                "请填写增值税率：它影响你的实际成本。",
            ),
        )
    services = goods if i.vat_services_percent is None else i.vat_services_percent / 100
    several = i.accelerator_count > prices.NODE
    network = i.network_percent if i.network_percent is not None else NETWORK_PERCENT if several else 0.0
    failure = i.failure_percent / 100
    used = failure if i.used_failure_percent is None else i.used_failure_percent / 100
    assets = {
        PURCHASE: Asset(PURCHASE, failure, 0.0, i.warranty_months),
        USED: Asset(USED, used, i.used_test_cost, 0.0),
    }
    price = {option: p.amount for option, p in found.items()}
    metal = found.get(BARE_METAL)
    from_share = i.spot_price is None and ON_DEMAND in found
    return Terms(
        options=options,
        cards=i.accelerator_count,
        months=i.horizon_months,
        stretches=work,
        mean_hours=mean,
        month_hours=i.month_hours,
        step=STEPS[i.billing_step] if i.billing_step != "second" or i.session_hours else 0.0,
        session=i.session_hours or 0.0,
        goodput=i.goodput_percent / 100,
        spot_goodput=None if i.spot_goodput_percent is None else i.spot_goodput_percent / 100,
        spot_checkpoint=i.spot_checkpoint_minutes / 60,
        spot_restart=i.spot_restart_minutes / 60,
        metal_size=i.bare_metal_accelerators or (metal.accelerators if metal else 0) or prices.NODE,
        reserved_price=i.reserved_price,
        term=i.reserved_term_months,
        upfront=i.reserved_upfront_percent / 100,
        spot_price=None if from_share else price.get(SPOT),
        storage=_needed(i, i.storage_tb, "storage_price", Text("storage", "存储")),
        egress=_needed(i, i.egress_tb, "egress_price", Text("traffic out", "流出流量")),
        rent_network=i.rent_network_per_month,
        support=i.support_percent / 100,
        setup=i.setup_cost,
        assets=tuple(assets[o] for o in OWNED if o in options),
        premium=i.server_premium_percent / 100,
        cluster_network=network / 100,
        own_storage=i.storage_capex,
        install=i.install_cost,
        duty=i.duty_percent / 100,
        spare_level=i.spare_level_percent / 100,
        spare_lead_days=i.spare_lead_days,
        kw=kw,
        load=i.load_power_percent / 100,
        idle=i.idle_power_percent / 100,
        demand=i.demand_charge,
        colo=i.hosting == "colo",
        colo_kw=i.colo_kw,
        colo_extra=i.colo_extra_per_month,
        colo_energy=i.hosting == "colo" and i.colo_energy_included,
        salary=i.salary_per_year or 0.0,
        servers_per_operator=i.servers_per_operator,
        least_operators=i.least_operators,
        licence=i.licence_per_year,
        insurance=i.insurance_percent / 100,
        bandwidth=i.own_network_per_month,
        growth=(1 + i.cost_growth_percent / 100) ** (1 / 12),
        goods=vat_factor(goods, included=i.prices_include_vat, recoverable=i.vat_recoverable),
        services=vat_factor(services, included=i.prices_include_vat, recoverable=i.vat_recoverable),
        tax=i.tax_percent / 100,
        inflation=i.inflation_percent / 100 if i.basis == "real" else 0.0,
        method=i.depreciation,
        book_life=i.book_life_years,
        book_salvage=i.book_salvage_percent / 100,
        life_hours=i.life_hours,
    )
