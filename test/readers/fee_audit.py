"""Audits the fees of exported trades, by the rules of the exchange that the rows were made with.

The analysis has to learn these rules: a fee that is paid is positive, rates are shares, the discount is
in percent and taken off rebates too, and a fee is rounded to the decimals that it is written with.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal

from rows import expect, within

DAY = 24 * 60 * 60 * 1000
DIRECTIONS = ("dearer", "cheaper")


def check_fee_audit(world, request, analysis):
    moments = fee_moments(world)
    counts, reasons, deviations = defaultdict(Counter), Counter(), []
    for row in sorted(within(world.trades, request["period"]), key=lambda row: -row["time"]):
        verdict, detail = judge(row, moments)
        counts[row["symbol"]][verdict] += 1
        if verdict == "undecided":
            reasons[detail] += 1
        if verdict in DIRECTIONS:
            deviations.append((row, verdict, detail))
    found = {each["symbol"]: Counter({name: each[name] for name in each if name != "symbol"})
             for each in analysis["markets"]}
    expect({symbol: +count for symbol, count in found.items()}, dict(counts), "counts")
    expect({each["reason"]: each["count"] for each in analysis["undecided"]}, dict(reasons), "reasons")
    check_deviations(analysis, deviations)
    has_discount = any(each["discount"] != 0 for each in moments)
    expect(analysis["discountIn"], "percent" if has_discount else None, "discount")


def fee_moments(world):
    """What trades cost at each checkpoint; a fee table counts until another one was stored."""
    table, moments = [], []
    for each in world.checkpoints:
        fees = each.get("fees") or {}
        table = fees.get("table", table)
        if fees.get("rates") is not None:
            moments.append({"from": each["sentAt"] - each["clockErrorMs"],
                            "to": each["answeredAt"] + each["clockErrorMs"],
                            "rates": numbers_of(fees["rates"]), "discount": Decimal(fees["discount"]),
                            "table": [numbers_of(rates) for rates in table]})
    return moments


def numbers_of(rates):
    return {name: Decimal(rates[name]) for name in ("tier", "maker", "taker")}


def judge(row, moments):
    """The verdict, with the reason if there is none, or with the fees that a deviation is measured by."""
    base, separator, quote = row["symbol"].rpartition("_")
    if separator == "" or row["feeAsset"] != quote:
        return "undecided", "otherAsset"
    if row["amount"] * row["price"] == 0:
        return "undecided", "noValue"
    if not moments:
        return "undecided", "noRates"
    known, is_two_sided, is_certain = around(row["time"], moments)
    outcomes = {outcome(row, each, each["rates"]) for each in known}
    if "asExpected" in outcomes:
        return "asExpected", None
    if row["type"] != "ORDER_BOOK":
        return "undecided", "otherType"
    may_be_other = any(outcome(row, each, rates) == "asExpected" for each in known for rates in each["table"])
    if not is_two_sided or len(outcomes) > 1 or (may_be_other and not is_certain):
        return "undecided", "unknownTier"
    return outcomes.pop(), known[0]


def around(time, moments):
    """The fees before and after a time, whether both are known, and whether nothing can lie between them."""
    index = bisect_left([each["to"] for each in moments], time + 1)
    before = moments[index - 1] if index > 0 else None
    after = next((each for each in moments[index:] if each["from"] >= time), None)
    if before is None or after is None:
        return [before or after], False, False
    if (before["rates"], before["discount"]) != (after["rates"], after["discount"]):
        return [before, after], True, False
    return [after], True, after["from"] - before["to"] <= DAY


def expected_fee(row, fees, rates, is_maker):
    rate = rates["maker" if is_maker else "taker"]
    return row["amount"] * row["price"] * rate * (1 - fees["discount"] / 100)


def outcome(row, fees, rates):
    return compare(row, expected_fee(row, fees, rates, row["maker"] == "true"))


def compare(row, expected):
    difference = row["fee"] - expected
    if abs(difference) <= Decimal(1).scaleb(row["fee"].as_tuple().exponent):
        return "asExpected"
    return "dearer" if difference > 0 else "cheaper"


def check_deviations(analysis, deviations):
    expect(analysis["deviationCount"], len(deviations), "count of deviations")
    expect([each["trade"]["tradeId"] for each in analysis["deviations"]],
           [row["tradeId"] for row, _, _ in deviations], "deviations")
    sums = defaultdict(lambda: dict.fromkeys(DIRECTIONS, Decimal(0)))
    for (row, verdict, fees), found in zip(deviations, analysis["deviations"], strict=True):
        check_deviation(row, verdict, fees, found)
        sums[row["feeAsset"]][verdict] += Decimal(found["overcharge"])
    expect({each["asset"]: {name: Decimal(each[name]) for name in DIRECTIONS} for each in analysis["sums"]},
           dict(sums), "sums")


def check_deviation(row, verdict, fees, found):
    is_maker = row["maker"] == "true"
    expected = expected_fee(row, fees, fees["rates"], is_maker)
    implied = (row["fee"] / (row["amount"] * row["price"])).quantize(Decimal("1e-20"), ROUND_HALF_UP)
    wanted = {"rate": fees["rates"]["maker" if is_maker else "taker"], "tier": fees["rates"]["tier"],
              "expected": expected, "overcharge": row["fee"] - expected, "impliedRate": implied}
    expect(found["kind"], verdict, "kind")
    expect({name: Decimal(found[name]) for name in wanted}, wanted, f"trade {row['tradeId']}")
    others = [(rates, maker) for maker in (is_maker, not is_maker) for rates in fees["table"]
              if (rates["tier"], maker) != (fees["rates"]["tier"], is_maker)
              and compare(row, expected_fee(row, fees, rates, maker)) == "asExpected"]
    billed = found["billedAs"] and (Decimal(found["billedAs"]["tier"]), found["billedAs"]["maker"])
    expect(billed, (others[0][0]["tier"], others[0][1]) if others else None, "whose rate it has")
