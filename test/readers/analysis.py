"""Computes the figures of an analysis from exported rows, with Python's own decimals and time zones.

Each folder has the CSV files of a ledger, its checkpoints, and in `analyses.json` what the analysis
said of it for each request.
"""

import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, getcontext
from functools import partial
from zoneinfo import ZoneInfo

from fee_audit import check_fee_audit
from rows import expect, read_rows, within

getcontext().prec = 300
POSTING_DELAY = 5000
STALE_ANSWER = 3000
MINUTE = 60 * 1000
LONGEST_PAUSE = 15 * MINUTE
TRADING = {"FEE", "FUNDING_FEE", "REALIZED_PL", "LIQUIDATION_FEE"}
FLOWS = {"DEPOSIT", "WITHDRAW", "TRANSFER_TO_SPOT", "TRANSFER_TO_FUTURE"}
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class World:
    def __init__(self, folder):
        self.trades = read_rows(folder / "trades.csv")
        self.future = read_rows(folder / "futureTransactions.csv")
        self.spot = read_rows(folder / "spotTransactions.csv")
        self.checkpoints = json.loads((folder / "checkpoints.json").read_text("utf-8"))
        self.checkpoints.sort(key=lambda each: each["answeredAt"])


def group_of(time, request):
    """The first local day of the group that a time lies in."""
    day = (EPOCH + timedelta(milliseconds=time)).astimezone(ZoneInfo(request["zone"])).date()
    if request["groupBy"] == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if request["groupBy"] == "month" else day


def margin_asset(symbol):
    return symbol.rsplit("_", 1)[-1]


def parts_of(world, request, fees_as_sent=False):
    """The rows of a view: what each adds to which series."""
    view, split = request["view"], request["splitBy"]
    transactions = world.future if request["account"] == "FUTURE" else world.spot
    if view == "realizedPl":
        for row in world.trades:
            if row["rpnl"] != 0:
                key = None if split == "asset" else row[split]
                yield row["time"], ("realizedPl", margin_asset(row["symbol"]), key), row["rpnl"]
    elif view == "fees":
        for row in world.trades:
            if row["fee"] != 0:
                kind = "feePaid" if row["fee"] > 0 else "feeRebate"
                kind = "feeAsSent" if fees_as_sent else kind
                key = None if split == "asset" else row[split]
                yield row["time"], (kind, row["feeAsset"], key), row["fee"]
        for row in world.future:
            if row["type"] == "LIQUIDATION_FEE":
                yield row["time"], ("liquidationFee", row["asset"], None), row["amount"]
    elif view == "funding":
        for row in world.future:
            if row["type"] == "FUNDING_FEE":
                key = None if split == "asset" else only_symbol(world, row["time"])
                yield row["time"], ("funding", row["asset"], key), row["amount"]
    else:
        for row in transactions:
            if view == "cash" or row["type"] not in TRADING:
                key = row["type"] if split == "type" else None
                yield row["time"], ("cashFlow", row["asset"], key), row["amount"]


def only_symbol(world, time):
    answered = [each["answeredAt"] for each in world.checkpoints]
    index = bisect_left(answered, time)
    before = world.checkpoints[index - 1] if index > 0 else None
    later = world.checkpoints[bisect_right(answered, time):]
    after = next((each for each in later if each["sentAt"] > time), None)
    if before is None or after is None:
        return None
    symbols = [{p["symbol"] for p in each["positions"] if Decimal(p["amount"]) != 0} for each in (before, after)]
    if symbols[0] != symbols[1] or len(symbols[0]) != 1:
        return None
    (symbol,) = symbols[0]
    between = [t for t in world.trades if before["sentAt"] <= t["time"] <= after["answeredAt"]]
    return symbol if all(t["symbol"] == symbol for t in between) else None


def check_buckets(request, analysis):
    """Each bucket is one group of the calendar, and together they are the period."""
    buckets, period = analysis["buckets"], request["period"]
    expect([b["from"] for b in buckets], [period["from"]] + [b["to"] for b in buckets[:-1]], "starts")
    expect(buckets[-1]["to"], period["to"], "end")
    groups = [group_of(bucket["from"], request) for bucket in buckets]
    expect([group_of(bucket["to"] - 1, request) for bucket in buckets], groups, "groups")
    expect(len(set(groups)), len(groups), "distinct groups")
    return groups


def check_sums(world, request, analysis):
    groups = check_buckets(request, analysis)
    wanted, counts = defaultdict(Decimal), defaultdict(int)
    fees_as_sent = any(series["kind"] == "feeAsSent" for series in analysis["series"])
    for time, series, amount in parts_of(world, request, fees_as_sent):
        if request["period"]["from"] <= time < request["period"]["to"]:
            wanted[series, group_of(time, request)] += amount
            counts[series, group_of(time, request)] += 1
    found, found_counts, totals = {}, {}, defaultdict(Decimal)
    for series in analysis["series"]:
        name = (series["kind"], series["asset"], series["key"])
        for group, value, count in zip(groups, series["values"], series["counts"], strict=True):
            assert (value is None) == (count == 0), name
            if value is not None:
                found[name, group] = Decimal(value)
                found_counts[name, group] = count
                totals[name] += Decimal(value)
        expect(Decimal(series["total"]), totals[name], "total")
        expect(series["rows"], sum(series["counts"]), "rows")
    expect(found, dict(wanted), "sums")
    expect(found_counts, dict(counts), "counts")


def check_cash(world, request, analysis):
    groups = check_buckets(request, analysis)
    balances, changes = defaultdict(Decimal), defaultdict(Decimal)
    for time, (_, asset, _), amount in parts_of(world, request):
        if time < request["period"]["from"]:
            balances[asset] += amount
        elif time < request["period"]["to"]:
            changes[asset, group_of(time, request)] += amount
    deposited = {curve["asset"] for curve in analysis["curves"] if curve["basis"] == "deposited"}
    known = {asset for asset, _ in changes} | set(balances) | deposited
    expect({curve["asset"] for curve in analysis["curves"]}, known, "assets")
    for curve in analysis["curves"]:
        asset = curve["asset"]
        if asset in deposited:
            balances[asset] = deposited_at(world, request, asset)
        else:
            expect(curve["basis"], "balance", "basis")
        balance = balances[asset]
        expect(Decimal(curve["opening"]), balance, "opening")
        for group, value in zip(groups, curve["values"], strict=True):
            balance += changes[asset, group]
            expect(Decimal(value), balance, f"{asset} {group}")


def deposited_at(world, request, asset):
    """The balance at the start of the period by the checkpoint whose time is nearest to it."""
    start = request["period"]["from"]
    rows = [(time, amount) for time, (_, own, _), amount in parts_of(world, request) if own == asset]
    clear = [each for each in world.checkpoints if all(not in_bracket(time, each) for time, _ in rows)]
    nearest = min(clear, key=lambda each: abs(each["answeredAt"] - start))
    figure = next(Decimal(each["deposited"]) for each in nearest["assets"] if each["name"] == asset)
    at = nearest["answeredAt"]
    later = sum((amount for time, amount in rows if at <= time < start), Decimal(0))
    earlier = sum((amount for time, amount in rows if start <= time < at), Decimal(0))
    return figure + later - earlier


def in_bracket(time, checkpoint):
    """Whether a row may be in the figures of a checkpoint or not."""
    start = checkpoint["sentAt"] - checkpoint["clockErrorMs"] - STALE_ANSWER
    end = checkpoint["answeredAt"] + checkpoint["clockErrorMs"] + 1 + POSTING_DELAY
    return start <= time < end


def check_equity(world, request, analysis):
    groups = check_buckets(request, analysis)
    samples = [each for each in world.checkpoints
               if request["period"]["from"] <= each["answeredAt"] < request["period"]["to"]]
    expect(analysis["times"], [each["answeredAt"] for each in samples], "times")
    expect(analysis["values"], [each["equity"] for each in samples], "values")
    gaps = [{"from": a["answeredAt"], "to": b["answeredAt"]} for a, b in zip(samples, samples[1:])
            if b["answeredAt"] - a["answeredAt"] > LONGEST_PAUSE
            and Decimal(a["equity"]) != Decimal(b["equity"])]
    expect(analysis["gaps"], gaps, "gaps")
    for group, found in zip(groups, analysis["groups"], strict=True):
        own = [Decimal(each["equity"]) for each in samples if group_of(each["answeredAt"], request) == group]
        if not own:
            expect(found, None, "group")
            continue
        wanted = {"first": own[0], "lowest": min(own), "highest": max(own), "last": own[-1]}
        expect({name: Decimal(found[name]) for name in wanted}, wanted, f"group {group}")
        expect(found["samples"], len(own), "samples of a group")
    check_drawdown(world, samples, analysis)


def check_drawdown(world, samples, analysis):
    drawdown = analysis["drawdown"]
    if len(samples) < 2:
        expect(drawdown, {"problem": "noSamples"}, "drawdown")
        return
    expect(drawdown["problem"], None, "problem")
    flows = [row for row in world.future if row["type"] in FLOWS and row["asset"] == analysis["unit"]]
    peak, deepest, wanted, falls = None, None, [], []
    for each in samples:
        if any(in_bracket(row["time"], each) for row in flows):
            wanted.append(None)
            continue
        flowed = sum((row["amount"] for row in flows
                      if samples[0]["sentAt"] - STALE_ANSWER <= row["time"] < each["sentAt"]), Decimal(0))
        value, time = Decimal(each["equity"]) - flowed, each["answeredAt"]
        if peak is None or value >= peak[0]:
            if falls and falls[-1]["over"] is None and peak is not None:
                falls[-1].update(over=True, end=time)
            peak = (value, time)
            wanted.append(Decimal(0))
            continue
        below = value - peak[0]
        wanted.append(below)
        if not falls or falls[-1]["over"]:
            falls.append({"from": peak[1], "over": None, "amount": below, "end": time})
        falls[-1].update(end=time, amount=min(falls[-1]["amount"], below))
        if deepest is None or below < deepest[0]:
            deepest = (below, peak[1], time)
    found = [None if value is None else Decimal(value) for value in drawdown["values"]]
    expect(found, wanted, "drawdown")
    if deepest is None:
        expect((drawdown["deepest"], drawdown["longest"]), (None, None), "no fall")
        return
    drop = drawdown["deepest"]
    expect((Decimal(drop["amount"]), drop["from"], drop["to"]), deepest, "deepest")
    longest = max(falls, key=lambda fall: fall["end"] - fall["from"])
    drop = drawdown["longest"]
    expect((drop["from"], drop["to"], drop["isOver"], Decimal(drop["amount"])),
           (longest["from"], longest["end"], longest["over"] is True, longest["amount"]), "longest")


def is_explained(world, fees):
    """Whether each liquidation fee has a trade near it: else a loss has none."""
    return all(
        any(abs(trade["time"] - fee["time"]) <= MINUTE for trade in world.trades) for fee in fees
    )


def check_numbers(world, request, analysis):
    trades = within(world.trades, request["period"])
    future = within(world.future, request["period"])
    explained = is_explained(world, [row for row in future if row["type"] == "LIQUIDATION_FEE"])
    expect([each["asset"] for each in analysis["assets"]],
           sorted({margin_asset(row["symbol"]) for row in trades}), "assets")
    for numbers in analysis["assets"]:
        asset = numbers["asset"]
        own = [row for row in trades if margin_asset(row["symbol"]) == asset]
        orders = defaultdict(Decimal)
        for row in own:
            orders[row["orderId"], row["symbol"]] += row["rpnl"]
        wins = [value for value in orders.values() if value > 0]
        losses = [value for value in orders.values() if value < 0]
        closed = len(wins) + len(losses)
        won, lost = sum(wins, Decimal(0)), sum(losses, Decimal(0))
        fees = [row["fee"] for row in trades if row["feeAsset"] == asset]
        paid = sum((fee for fee in fees if fee > 0), Decimal(0))
        rebates = sum((fee for fee in fees if fee < 0), Decimal(0))
        booked = {kind: sum((row["amount"] for row in future if (row["type"], row["asset"]) == (kind, asset)),
                            Decimal(0)) for kind in TRADING}
        counts = {"closedOrders": closed, "wins": len(wins), "losses": len(losses)}
        expect({name: numbers[name] for name in counts}, counts, asset)
        sums = {"grossPl": won + lost, "feesAsSent": paid + rebates,
                "liquidationFees": booked["LIQUIDATION_FEE"], "funding": booked["FUNDING_FEE"]}
        after_fees = {"feesPaid": paid, "feeRebates": rebates,
                      "netPl": won + lost - paid - rebates + booked["LIQUIDATION_FEE"] + booked["FUNDING_FEE"]}
        is_sign_known = numbers["feesPaid"] is not None
        if is_sign_known:
            sums.update(after_fees)
        else:
            expect([numbers[name] for name in after_fees], [None, None, None], asset)
        if not explained:
            expect([numbers[name] for name in ("grossPl", "netPl")], [None, None], asset)
            sums = {name: value for name, value in sums.items() if name not in ("grossPl", "netPl")}
        expect({name: Decimal(numbers[name]) for name in sums}, sums, asset)
        check_statistic(numbers["winRate"], Decimal(len(wins)), Decimal(closed), closed)
        check_statistic(numbers["averageWin"], won, Decimal(len(wins)), len(wins))
        check_statistic(numbers["averageLoss"], lost, Decimal(len(losses)), len(losses))
        check_statistic(numbers["profitFactor"], won, -lost, closed)
        check_statistic(numbers["feeShare"], paid + rebates, won + lost if is_sign_known and explained else 0, closed)
        makers = sum(row["maker"] == "true" for row in own)
        check_statistic(numbers["makerShare"], Decimal(makers), Decimal(len(own)), len(own))
        check_order(numbers["largestWin"], orders, max(wins, default=None))
        check_order(numbers["largestLoss"], orders, min(losses, default=None))
        others = {row["feeAsset"] for row in own if row["fee"] != 0} - {asset}
        expect(numbers["otherFeeAssets"], sorted(others), "other fees")
        agreement = numbers["agreement"]
        expect(Decimal(agreement["trades"]), won + lost, "P&L of trades")
        expect(Decimal(agreement["transactions"]), booked["REALIZED_PL"], "P&L of transactions")
        remainder = won + lost - booked["REALIZED_PL"]
        if agreement["verdict"] == "differ":
            assert all(Decimal(each["amount"]) != 0 for each in agreement["differences"]), agreement
        assert agreement["verdict"] != "agree" or remainder == 0, f"{asset} agrees with a difference of {remainder}"


def check_statistic(found, dividend, divisor, sample):
    expect(found["sample"], sample, "sample")
    if divisor <= 0:
        expect(found["value"], None, "ratio")
        return
    wanted = (dividend / divisor).quantize(Decimal("1e-20"), ROUND_HALF_UP)
    expect(Decimal(found["value"]), wanted, "ratio")


def check_order(found, orders, amount):
    if amount is None:
        expect(found, None, "largest")
        return
    expect(Decimal(found["amount"]), amount, "largest")
    assert any(symbol == found["symbol"] and orders[order, symbol] == amount for order, symbol in list(orders)), found


CHECKS = {"realizedPl": check_sums, "fees": check_sums, "funding": check_sums, "cashFlow": check_sums,
          "cash": check_cash, "equity": check_equity, "numbers": check_numbers, "feeAudit": check_fee_audit}


def analysis_checks(root):
    """A name and a check for each view of each ledger."""
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        world = World(folder)
        analyses = json.loads((folder / "analyses.json").read_text("utf-8"))
        for view, check in CHECKS.items():
            own = [each for each in analyses if each["request"]["view"] == view]
            yield f"{len(own)} analyses of {view} of {folder.name}", partial(all_hold, world, own, check)


def all_hold(world, analyses, check):
    assert analyses, "there is none"
    for each in analyses:
        request = each["request"]
        try:
            expect(each["analysis"]["period"], request["period"], "period")
            check(world, request, each["analysis"])
        except AssertionError as error:
            asked = " ".join(str(request[name]) for name in ("splitBy", "zone", "groupBy", "account", "period"))
            raise AssertionError(f"{asked}: {str(error)[:2000]}") from error
