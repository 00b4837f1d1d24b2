"""Rebuilds positions from the rows of random books, with Python's own decimals and fractions.

Each file has the rows of a ledger, its checkpoints, where its trades are complete, and what the analysis
said of its positions. The rules are those of `docs/proofs.md`.
"""

import json
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import partial

STALE, POSTED, MINUTE = 3000, 5000, 60_000
FIGURES = ("direction", "largest", "entryPrice", "exitPrice", "gross", "net")


def number(text):
    return None if text is None else Fraction(text)


def rounded(value):
    """Half up to 20 decimals, as a fraction."""
    with localcontext() as context:
        context.prec = 400
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return Fraction(exact.quantize(Decimal(1).scaleb(-20), ROUND_HALF_UP))


class Book:
    def __init__(self, data):
        self.trades = sorted(data["records"]["trades"], key=lambda t: (int(t["time"]), int(t["tradeId"])))
        self.orders = data["records"]["orders"]
        self.transactions = data["records"]["futureTransactions"]
        self.spans = data["complete"]["trades"]
        self.now = data["now"]
        self.checks = sorted(
            (
                (c["sentAt"] - c["clockErrorMs"] - STALE, c["answeredAt"] + c["clockErrorMs"] + 1 + POSTED, c["positions"])
                for c in data["checkpoints"]
            ),
            key=lambda c: c[1],
        )
        amounts = [p["amount"] for _, _, positions in self.checks for p in positions]
        self.signed = any(amount.startswith("-") for amount in amounts)
        lone = [o for o in self.orders if o["status"] == "LIQUIDATED"]
        self.hints = []
        for o in lone:
            amounts = [t["amount"] for t in self.trades if (t["orderId"], t["symbol"]) == (o["orderId"], o["symbol"])]
            filled = number(o["filled"])
            if filled is not None and None not in amounts:
                filled -= sum(map(Fraction, amounts))
            elif amounts:
                filled = 0
            # What it filled without a trade; None is unknown.
            if filled is None or filled > 0:
                self.hints.append((int(o["time"]), o["symbol"], {**o, "filled": filled}))
        for t in self.transactions:
            time = int(t["time"])
            near = [*self.trades, *lone]
            if t["type"] == "LIQUIDATION_FEE" and all(abs(int(n["time"]) - time) > MINUTE for n in near):
                self.hints.append((time, None, None))
        named = [t["feeAsset"] for t in self.trades] + [t["asset"] for t in self.transactions]
        # The end of a symbol is an asset only if a record names it.
        self.assets = set(named)

    def symbols(self):
        held = {p["symbol"] for _, _, positions in self.checks for p in positions}
        return sorted(held | {t["symbol"] for t in self.trades})

    def sizes(self, check, symbol):
        own = [Fraction(p["amount"]) for p in check[2] if p["symbol"] == symbol]
        return [size for size in own if size != 0]

    def within(self, span):
        return [c for c in self.checks if span["from"] <= c[0] and c[1] <= min(span["to"], self.now)]

    def opening(self, span, symbol):
        """The size that a symbol has at the start of a span; None if it is unknown."""
        if span["from"] == 0:
            return Fraction(0)
        checks = self.within(span)[:20]
        for low, high, positions in checks:
            own = [t for t in self.trades if t["symbol"] == symbol and int(t["time"]) >= span["from"]]
            if any(low <= int(t["time"]) < high for t in own):
                continue
            before = [t for t in own if int(t["time"]) < low]
            if any(span["from"] <= time < high and name in (None, symbol) for time, name, _ in self.hints):
                return None
            sizes = self.sizes((low, high, positions), symbol)
            if len(sizes) > 1 or (sizes and not self.signed):
                return None
            if any(t["amount"] is None or t["side"] is None for t in before):
                return None
            change = sum(Fraction(t["amount"]) * (1 if t["side"] == "BUY" else -1) for t in before)
            return (sizes[0] if sizes else Fraction(0)) - change
        return None


def rebuild(book):
    """All positions; those that are undecided have a reason."""
    done = []
    for index, span in enumerate(book.spans):
        end = min(span["to"], book.now)
        inside = lambda time: span["from"] <= time < end
        events = [(int(t["time"]), 1, n, "trade", t) for n, t in enumerate(book.trades) if inside(int(t["time"]))]
        events += [(time, 0, n, "hint", (name, order)) for n, (time, name, order) in enumerate(book.hints) if inside(time)]
        events += [(c[1], 0, -1, "check", c) for c in book.within(span)]
        runs = {symbol: Run(book, symbol, span) for symbol in book.symbols()}
        for time, _, _, kind, what in sorted(events, key=lambda e: e[:3]):
            if kind == "check":
                for run in runs.values():
                    run.check(what)
            elif kind == "trade":
                runs[what["symbol"]].trade(time, what)
            else:
                # A fee names no symbol: all that may be open may have paid it.
                symbol, order = what
                meant = [run for name, run in runs.items() if symbol in (None, name) and run.size != 0]
                for run in meant:
                    run.hint(time, len(meant) > 1, order)
        for run in runs.values():
            done += run.finish(index == len(book.spans) - 1)
    return done


def closes(order, size):
    """Whether an order, as far as it says what it did, closes all of a position."""
    if order is None:
        return True
    filled, side = number(order["filled"]), order["side"]
    return filled in (None, abs(size)) and side in (None, "SELL" if size > 0 else "BUY")


def opens(size, trade):
    """Whether a fill, as far as it is known, opens a position or makes it larger."""
    if size is None or trade["amount"] is None or trade["side"] is None:
        return False
    return size * Fraction(trade["amount"]) * (1 if trade["side"] == "BUY" else -1) >= 0


class Run:
    def __init__(self, book, symbol, span):
        self.book, self.symbol = book, symbol
        self.size = book.opening(span, symbol)
        # That all trades are read does not prove that nothing was open before them.
        self.proved = span["from"] != 0
        self.shared = False
        self.done, self.unchecked, self.open, self.doubt, self.last = [], [], None, None, None
        if self.size:
            self.unknown(span["from"], "openedBefore")

    def finish(self, is_last):
        if self.open and not is_last:
            self.open["reason"] = self.open["reason"] or "missingTrades"
        elif self.open and self.doubt is not None:
            self.open["reason"] = self.open["reason"] or "liquidatedWithoutTrade"
        self.leave()
        return self.done

    def unknown(self, time, reason):
        self.open = self.open or {"opened": time, "closed": None, "reason": None, "parts": [], "fills": 0}
        self.open["reason"] = self.open["reason"] or reason

    def lose(self, time, reason):
        self.unknown(time, reason)
        self.size = self.doubt = None

    def leave(self):
        if self.open:
            self.done.append({"symbol": self.symbol, **self.open})
            if self.open["closed"] is not None and self.open["reason"] is None:
                self.unchecked.append(self.done[-1])
        self.open = None

    def hint(self, time, shared, order):
        self.last = time
        if self.size is None:
            return
        if self.doubt is not None:
            self.lose(time, "liquidatedWithoutTrade")
        else:
            self.doubt, self.shared = time, shared or not closes(order, self.size)

    def trade(self, time, trade):
        self.last = time
        if self.doubt is not None:
            self.lose(time, "liquidatedWithoutTrade")
        if trade["amount"] is None or trade["side"] is None:
            self.lose(time, "unknownFigure")
        fee, rpnl = number(trade["fee"]), number(trade["rpnl"])
        # Nothing is realised by opening, unless the result has the fee in it.
        if opens(self.size, trade) and rpnl and (fee is None or abs(fee) != abs(rpnl)):
            self.contradict(time, "contradicted" if self.proved else "openedBefore")
        if self.size is None:
            self.unknown(time, "openedBefore")
            self.open["fills"] += 1
            return
        change = Fraction(trade["amount"]) * (1 if trade["side"] == "BUY" else -1)
        after = self.size + change
        if self.size * after < 0:
            first = None if fee is None else rounded(abs(fee) * abs(self.size) / abs(change)) * (-1 if fee < 0 else 1)
            self.part(time, trade, -self.size, first, rpnl)
            self.part(time, trade, after, None if fee is None else fee - first, Fraction(0))
        elif self.size or change:
            self.part(time, trade, change, fee, rpnl)

    def part(self, time, trade, change, fee, rpnl):
        self.open = self.open or {"opened": time, "closed": None, "reason": None, "parts": [], "fills": 0}
        before, self.size = self.size, self.size + change
        self.open["parts"].append((before, change, number(trade["price"]), fee, rpnl, trade))
        self.open["fills"] += 1
        if self.size == 0:
            self.open["closed"] = time
            self.leave()

    def check(self, check):
        low = check[0]
        if self.last is not None and self.last >= low:
            return
        sizes = self.book.sizes(check, self.symbol)
        if len(sizes) > 1:
            if self.size is not None:
                self.contradict(low, "severalPositions")
            return
        size = sizes[0] if sizes else Fraction(0)
        if self.size is not None and size != self.size and (self.book.signed or size != -self.size):
            vanished = size == 0 and self.doubt is not None
            if vanished and not self.shared and self.open and self.open["reason"] is None:
                self.open.update(closed=self.doubt, vanished=True)
                self.size = Fraction(0)
                self.leave()
            else:
                self.contradict(low, "liquidatedWithoutTrade" if vanished else "contradicted")
        if self.size is None and (self.book.signed or size == 0):
            self.size = size
            if size == 0:
                self.leave()
            else:
                self.unknown(low, "openedBefore")
        self.doubt = None
        # Without signs, -2 and 2 look alike.
        self.proved = self.proved or self.book.signed or size == 0
        if self.proved:
            self.unchecked = []

    def contradict(self, low, reason):
        for position in self.unchecked:
            position["reason"] = position["reason"] or reason
        self.unchecked = []
        self.lose(low, reason)


def figures(position, assets):
    parts = position["parts"]
    asset = position["symbol"].rsplit("_", 1)[-1]
    entries = [p for p in parts if abs(p[0] + p[1]) > abs(p[0])]
    exits = [p for p in parts if abs(p[0] + p[1]) < abs(p[0])]

    def average(some):
        amount = sum(abs(p[1]) for p in some)
        if amount == 0 or any(p[2] is None for p in some):
            return None
        return rounded(sum(abs(p[1]) * p[2] for p in some) / amount)

    gross = None if any(p[4] is None for p in parts) or position.get("vanished") else sum(p[4] for p in parts)
    fees = {}
    for _, _, _, fee, _, trade in parts:
        if fee:
            fees[trade["feeAsset"]] = fees.get(trade["feeAsset"], 0) + fee
    unknown_fee = any(p[3] is None for p in parts)
    return {
        "direction": "LONG" if parts[0][1] > 0 else "SHORT",
        "largest": max(abs(p[0] + p[1]) for p in parts),
        "entryPrice": average(entries),
        "exitPrice": None if position.get("vanished") else average(exits),
        "gross": gross,
        # The sign of fees is never proved in these books.
        "net": gross if gross is not None and not fees and not unknown_fee and asset in assets else None,
        "fees": None if unknown_fee else fees,
        "orders": len({p[5]["orderId"] for p in parts}),
        "asset": asset,
    }


def check_book(path):
    data = json.loads(path.read_text("utf-8"))
    book, period = Book(data), data["period"]
    wanted = {}
    for position in rebuild(book):
        key = (position["symbol"], position["opened"], position["closed"], position["reason"], position["fills"])
        wanted.setdefault(key, []).append(position)
    found = {}
    for each in data["analysis"]["positions"]:
        key = (each["symbol"], each["opened"], each["closed"], each["undecided"], each["fills"])
        found.setdefault(key, []).append(each)
    assert {k: len(v) for k, v in found.items()} == {k: len(v) for k, v in wanted.items()}, (
        f"{path.name}: only found {sorted(map(str, found.keys() - wanted.keys()))}, "
        f"only wanted {sorted(map(str, wanted.keys() - found.keys()))}"
    )
    for key, own in found.items():
        for one, other in zip(own, wanted[key]):
            compare(one, other, book.assets, f"{path.name} {key}")
    return sum(map(len, found.values())), sum(len(v) for k, v in found.items() if k[3] is not None)


def compare(found, position, assets, name):
    if position["reason"] is not None:
        assert all(found[figure] is None for figure in FIGURES), name
        return
    wanted = figures(position, assets)
    for figure in FIGURES:
        value = found[figure] if figure == "direction" else number(found[figure])
        if figure == "net" and found["charges"] and wanted["net"] is not None:
            value -= sum(number(c["amount"]) for c in found["charges"] if c["asset"] == wanted["asset"])
        assert value == wanted[figure], f"{name} {figure}: {value} for {wanted[figure]}"
    fees = found["fees"]
    assert (fees if fees is None else {f["asset"]: number(f["amount"]) for f in fees}) == wanted["fees"], f"{name} fees"
    assert found["orders"] == wanted["orders"], f"{name} orders"


def check_books(root):
    counts = [check_book(path) for path in sorted(root.glob("*.json"))]
    assert len(counts) == 500, len(counts)
    decided = sum(all_ - undecided for all_, undecided in counts)
    assert decided > 500 and sum(undecided for _, undecided in counts) > 500, counts


def position_checks(root):
    yield "the positions of 500 random books", partial(check_books, root)
