"""Reads exported files with Python's own readers and compares every digit with the wire.

Called with a folder that holds <exchange>/<history>/rows.{csv,json,jsonl} and, in `wire`, the
answers that they were made of, with one of analysed ledgers, see `analysis.py`, and one of random books, see `positions.py`. Prints a line a check.
"""

import csv
import hashlib
import json
import re
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from functools import partial
from pathlib import Path

# The checkout stays as it is.
sys.dont_write_bytecode = True

from analysis import analysis_checks  # noqa: E402
from positions import position_checks  # noqa: E402

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
IDS = {"orders": "orderId", "trades": "tradeId", "lots": "lotId", "transactions": "transactionId"}
TIMES = {"orders": "time", "trades": "time", "lots": "updatedAt", "transactions": "time"}
GUARDED = tuple("=+-@＝＋－＠|%")


class Number(str):
    """A JSON number as its text."""


def exact(text):
    return json.loads(text, parse_float=Number, parse_int=Number)


def text_of(path):
    return path.read_bytes().decode("utf-8")


def wire_rows(folder, history):
    """The records of every answer, each id once."""
    rows = {}
    for page in sorted((folder / "wire").glob("*.json")):
        for row in exact(text_of(page))["content"]:
            rows[row[IDS[history]]] = row
    return rows


def utc(milliseconds):
    moment = EPOCH + timedelta(milliseconds=int(milliseconds))
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def by_id(rows, history):
    found = {row[IDS[history]]: row for row in rows}
    assert len(found) == len(rows), "an id stands twice"
    return found


def same_keys(found, wire):
    assert found.keys() == wire.keys(), f"{len(found)} rows, {len(wire)} on the wire"


def check_csv(folder, history):
    wire = wire_rows(folder, history)
    with open(folder / "rows.csv", newline="", encoding="utf-8") as file:
        found = by_id(list(csv.DictReader(file, strict=True)), history)
    same_keys(found, wire)
    for key, row in found.items():
        assert None not in row and None not in row.values(), f"{key} has another number of fields"
        assert row[TIMES[history] + "Utc"] == utc(row[TIMES[history]]), key
        known = [name for name in row if name != "extra" and not name.endswith("Utc")]
        for name in known:
            check_field(row[name], wire[key][name], f"{key} {name}")
        others = {name: value for name, value in wire[key].items() if name not in known}
        assert exact(row["extra"] or "{}") == others, f"{key} extra"


def check_field(found, sent, where):
    if sent is None:
        assert found == "", where
    elif isinstance(sent, bool):
        assert found == str(sent).lower(), where
    elif isinstance(sent, Number):
        assert found == sent, f"{where}: {found} for {sent}"
        assert Decimal(found).as_tuple() == Decimal(sent).as_tuple(), where
    else:
        assert re.sub(r"(^|[;\t\r\n])'", r"\1", found) == sent, f"{where}: {found!r} for {sent!r}"
        for cell in re.split(r"[;\t\r\n]", found):
            visible = cell.lstrip(" \u202e\u200f")
            assert visible[:1] not in GUARDED or is_number(cell), f"{where}: {cell!r} runs"


def is_number(text):
    return re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", text) is not None


def check_json(folder, history):
    check_records(folder, history, exact(text_of(folder / "rows.json")))


def check_json_lines(folder, history):
    lines = text_of(folder / "rows.jsonl").split("\n")
    assert lines.pop() == "", "the last line has no end"
    check_records(folder, history, [exact(line) for line in lines])


def check_records(folder, history, records):
    wire = wire_rows(folder, history)
    found = by_id(records, history)
    same_keys(found, wire)
    for key, row in found.items():
        assert row.pop(TIMES[history] + "Utc") == utc(row[TIMES[history]]), key
        merged = {**row, **row.pop("extra", {})}
        merged.pop("extra", None)
        sent = {name: as_read(name, value) for name, value in wire[key].items()}
        assert merged == sent, f"{key}: {merged} for {sent}"
        assert {k: type(v) for k, v in merged.items()} == {k: type(v) for k, v in sent.items()}


# An empty text in these fields is one that does not exist.
NULLABLE_TEXTS = ("clientOrderId", "feeAsset", "link")


def as_read(name, sent):
    return None if sent == "" and name in NULLABLE_TEXTS else sent


def check_decimals(folder, history):
    """As a program reads that wants to calculate: decimals from JSON, texts from CSV."""
    rows = json.loads(text_of(folder / "rows.json"), parse_float=Decimal, parse_int=Decimal)
    with open(folder / "rows.csv", newline="", encoding="utf-8") as file:
        read = {row[IDS[history]]: row for row in csv.DictReader(file)}
    for row in rows:
        key = str(row[IDS[history]])
        for name, value in row.items():
            if isinstance(value, Decimal):
                assert Decimal(read[key][name]).as_tuple() == value.as_tuple(), f"{key} {name}"


def check_meta(folder, history):
    for form in ("csv", "json", "jsonl"):
        meta = json.loads(text_of(folder / f"rows.{form}.meta.json"))
        data = (folder / f"rows.{form}").read_bytes()
        assert meta["sha256"] == hashlib.sha256(data).hexdigest()
        assert meta["rows"] == len(wire_rows(folder, history)), meta["rows"]
        assert meta["completeness"] == "complete", meta


CHECKS = (check_csv, check_json, check_json_lines, check_decimals, check_meta)


def export_checks(root):
    for folder in sorted(path for path in root.glob("*/*") if path.is_dir()):
        for check in CHECKS:
            name = f"{check.__name__} of {folder.parent.name} {folder.name}"
            yield name, partial(check, folder, folder.name)


def main(exports, analyses, books):
    failed = 0
    for name, check in [*export_checks(exports), *analysis_checks(analyses), *position_checks(books)]:
        try:
            check()
            print(f"  ok      {name}")
        except Exception as error:
            failed += 1
            print(f"  FAILED  {name}: {type(error).__name__} {error}")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:4])))
