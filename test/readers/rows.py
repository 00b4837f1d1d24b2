"""The exported rows that the figures of an analysis are computed from."""

import csv
from decimal import Decimal


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    for row in rows:
        row["time"] = int(row["time"])
        for name in ("amount", "price", "fee", "rpnl"):
            if name in row:
                row[name] = Decimal(row[name])
    return rows


def within(rows, period):
    return [row for row in rows if period["from"] <= row["time"] < period["to"]]


def expect(found, wanted, what):
    assert found == wanted, f"{what}: {found} for {wanted}"
