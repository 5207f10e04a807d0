"""The present value of every option in closed form: what searches, maps and thousands of draws evaluate.

In: `Terms`. Out: a function from `Values` (in their order) to the costs of `Terms.options`. It sums geometric series over stretches of
equal months where `renting` and `owning` add up months; a property test holds both to 1e-9 of each other.
"""

from collections.abc import Callable, Sequence
from math import ceil, exp, expm1, log, log1p

from calculators.costing.model import BARE_METAL, MONTHLY, ON_DEMAND, RESERVED, RESIDUAL_MONTHS, SPOT, USED, Asset, Terms
from calculators.finance.billing import billed_sessions, terms
from calculators.finance.depreciation import declining_balance
from calculators.finance.spares import spares
from calculators.market.prices import NODE

Evaluate = Callable[[Sequence[float]], list[float]]
_FACTOR = 1e-9
_LEVEL = 1e-14
"""A monthly growth so small is none: over ten years it moves a sum by less than its last bits."""


def lean(t: Terms) -> Evaluate:  # noqa: C901, PLR0915 - one flat function: a call per option would cost more than its arithmetic
    """The closed form of these terms. Everything that does not move is computed once, here."""
    n, months, hours_of_month, mean = t.cards, t.months, t.month_hours, t.mean_hours
    busy = [(s.first, s.last, s.hours) for s in t.stretches if s.hours > 0]
    peak = max(h for _, _, h in busy) / mean
    begin, end = t.active
    count = terms(end - begin, t.term)
    left_over = begin + count * t.term - months
    log_inflation = log1p(t.inflation) / 12
    log_growth = log(t.growth)
    keep = t.services * (1 - t.tax)
    rent_factor = keep * (1 + t.support)
    extras = (t.storage + t.egress + t.rent_network) * keep
    setup = t.setup * keep
    has = {option: option in t.options for option in (ON_DEMAND, MONTHLY, RESERVED, SPOT, BARE_METAL)}
    by_hour = has[ON_DEMAND] or has[SPOT]
    by_month = has[MONTHLY] or has[BARE_METAL]
    renting = by_hour or by_month or has[RESERVED]
    step, session, goodput = t.step, t.session, t.goodput
    plain = step == 0
    most = hours_of_month * (1 + _FACTOR)
    owners = [_owner(t, a) for a in t.assets]
    spot_fixed, reserved_fixed, term, upfront = t.spot_price, t.reserved_price, t.term, t.upfront
    metal_size = t.metal_size

    def evaluate(values: Sequence[float]) -> list[float]:  # noqa: C901 - as above
        (
            hours,
            hourly,
            decline,
            spot,
            discount,
            capex,
            residual,
            maintenance,
            tariff,
            pue,
            colo,
            wacc,
            every,
            by_month_price,
            node_price,
            second_hand,
        ) = values
        scale = hours / mean
        down = log_inflation - log1p(wacc / 100) / 12
        down = down if abs(down) > _LEVEL else 0.0
        d = exp(down)
        costs: list[float] = []
        run = peak * hours / goodput
        cards = n if run <= most else ceil(n * run / hours_of_month - _FACTOR)
        if renting:
            up = log1p(-decline / 100) / 12
            x = up + down if abs(up + down) > _LEVEL else 0.0
            month = d / expm1(x) if x else 0.0
            spot_wall = t.spot_wall(every) if has[SPOT] else 1.0
            by_od = by_spot = by_card = by_node = 0.0
            for first, last, h in busy:
                paid = month * exp(first * x) * expm1((last - first) * x) if x else (last - first) * d
                h *= scale  # noqa: PLW2901 - the stretch's hours as the draw has them
                if by_hour:
                    used = h / goodput
                    by_od += paid * (used if plain else billed_sessions(used, session, step))
                    used = h * spot_wall
                    by_spot += paid * (used if plain else billed_sessions(used, session, step))
                if by_month:
                    used = h / goodput
                    held = n if used <= most else ceil(n * used / hours_of_month - _FACTOR)
                    by_card += paid * held
                    by_node += paid * -(-held // metal_size)
            beside = setup + (extras * (expm1(months * down) / expm1(down) if down else months) * d if extras else 0.0)
            if has[ON_DEMAND]:
                costs.append(rent_factor * n * hourly * by_od + beside)
            if has[MONTHLY]:
                costs.append(rent_factor * by_month_price * by_card + beside)
            if has[RESERVED]:
                price = hourly * (1 - discount / 100) if reserved_fixed is None else reserved_fixed
                over_term = expm1(term * down) / expm1(down) * d if down else float(term)
                renewals = expm1(count * term * x) / expm1(term * x) if x else float(count)
                total = exp(begin * x) * renewals * (upfront * term + (1 - upfront) * over_term)
                if left_over > 0:
                    last_start = begin + (count - 1) * term
                    kept = months - last_start
                    after = over_term - (expm1(kept * down) / expm1(down) * d if down else float(kept))
                    settled = left_over * exp(kept * down)
                    total += exp(last_start * x) * (1 - upfront) * (settled - after)
                costs.append(rent_factor * cards * hours_of_month * price * total + beside)
            if has[SPOT]:
                price = hourly * spot / 100 if spot_fixed is None else spot_fixed
                costs.append(rent_factor * n * price * by_spot + beside)
            if has[BARE_METAL]:
                costs.append(rent_factor * node_price * by_node + beside)
        if owners:
            y = log_growth + down if abs(log_growth + down) > _LEVEL else 0.0
            month = d / expm1(y) if y else 0.0
            whole = month * expm1(months * y) if y else months * d
            work = 0.0
            for first, last, h in busy:
                work += h * (month * exp(first * y) * expm1((last - first) * y) if y else (last - first) * d)
            work *= scale / goodput
            left = (residual / 100) ** (months / RESIDUAL_MONTHS)
            moved = (capex, second_hand, left, maintenance, tariff, pue, colo, cards, whole, work, d, down, y, scale)
            costs.extend([owner(*moved) for owner in owners])
        return costs

    return evaluate


def _owner(t: Terms, a: Asset) -> Callable[..., float]:
    """One purchase: its price, what it leaves, the sums of months -> its present value."""
    months, n, hours_of_month = t.months, t.cards, t.month_hours
    services, goods, tax = t.services, t.goods, t.tax
    keep = services * (1 - tax)
    per_card = 1 / (1 + t.premium)
    base_spares = spares(n, a.failure, t.spare_lead_days, t.spare_level)
    warranty = min(float(months), a.warranty_months)
    covered = int(warranty)
    is_used, storage, network = a.id == USED, t.own_storage, 1 + t.cluster_network
    with_duty, install, test = (1 + t.duty) * goods, t.install * goods, a.test * goods
    market = min(1.0, goods)
    power, idle, kw, colo_kw = t.kw * t.load, t.idle, t.kw, t.colo_kw
    in_colo, no_energy, demand = t.colo, t.colo_energy, t.demand
    salary, per_operator, least = t.salary / 12, t.servers_per_operator, t.least_operators
    licence, insurance, flat = t.licence / 12, t.insurance / 12, t.bandwidth + (t.colo_extra if t.colo else 0.0)
    failure = a.failure / 12

    def cost(
        capex: float,
        second_hand: float,
        left: float,
        maintenance: float,
        tariff: float,
        pue: float,
        colo: float,
        cards: int,
        whole: float,
        work: float,
        d: float,
        down: float,
        y: float,
        scale: float,
    ) -> float:
        price = second_hand if is_used else capex
        card = price * per_card
        count = base_spares if cards == n else spares(cards, a.failure, t.spare_lead_days, t.spare_level)
        maintained = cards * price * network + storage
        hardware = maintained + count * card
        paid = hardware * with_duty + install + cards * test
        factor = 1.0 if in_colo else pue
        month = flat + cards * licence + maintained * insurance + demand * cards * kw * factor
        if in_colo:
            month += (colo_kw or cards * kw) * colo
        if salary:
            month += max(least, ceil(cards / NODE) / per_operator) * salary
        running = month * whole
        if not no_energy:
            running += power * factor * tariff * (cards * hours_of_month * idle * whole + n * (1 - idle) * work)
        guarded = whole if covered == months else (d / expm1(y) * expm1(covered * y) if y else covered * d)
        running += maintained * maintenance / 1200 * guarded + cards * failure * card * (whole - guarded)
        sale = hardware * market * left
        total = paid + keep * running - sale * exp(months * down)
        if tax:
            shield, book = _books(t, paid, cards, scale, down)
            total += tax * ((sale - book) * exp(months * down) - shield)
        return total

    return cost


def _books(t: Terms, paid: float, cards: int, scale: float, down: float) -> tuple[float, float]:
    """Present value of the depreciation over the horizon, and the book value at its end."""
    d = exp(down)

    def level(first: float, last: float) -> float:
        if last <= first:
            return 0.0
        return d * exp(first * down) * expm1((last - first) * down) / expm1(down) if down else (last - first) * 1.0

    salvage, life, months = paid * t.book_salvage, 12 * t.book_life, t.months
    if t.method == "declining":
        worth = lost = 0.0
        for year, loss in enumerate(declining_balance(paid, salvage, t.book_life)):
            first, last = 12 * year, min(12 * year + 12, months)
            worth += loss / 12 * level(first, last)
            lost += loss / 12 * max(0, last - first)
        return worth, paid - lost
    if t.method == "units":
        worth = done = 0.0
        for first, last, hours in t.stretches:
            each = hours * scale / t.goodput * t.cards / cards
            if each == 0:
                continue
            until = min(float(last), first + (t.life_hours - done) / each)
            whole = min(last, first + int(until - first + _FACTOR))
            rate = (paid - salvage) / t.life_hours
            worth += rate * each * level(first, whole)
            if whole < last:
                worth += rate * max(0.0, t.life_hours - done - each * (whole - first)) * exp((whole + 1) * down)
            done = min(t.life_hours, done + each * (last - first))
        return worth, paid - (paid - salvage) * done / t.life_hours
    loss = (paid - salvage) / life
    return loss * level(0, min(life, months)), paid - loss * min(life, months)
