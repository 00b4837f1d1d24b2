import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { difference, sum } from '../../src/base/decimal.ts';
import { compareFile } from '../../src/ledger/comparison/compare.ts';
import type { Cause, ComparedRow, Comparison } from '../../src/ledger/comparison/comparison.ts';
import { bookFormats, writeBook, type BookFormat, type FaultPlace } from './botBooks.ts';

export const asFound = { offsetMinutes: null, symbols: {} } as const;

/** A clean book of 500 orders agrees, in each format. */
export function assertClean(seed: number): void {
  const format = bookFormats[seed % bookFormats.length] ?? 'csv';
  const { comparison } = compared(format, seed, null);
  const { agrees, ...divergent } = comparison.counts;
  const text = `${format} ${seed} ${JSON.stringify(comparison.firstDivergent)}`;
  assert.deepEqual(divergent, { differs: 0, onlyBot: 0, onlyExchange: 0, undecided: 0 }, text);
  assert.ok(agrees >= 500);
  assertNoRemainder(comparison, text);
}

/** The first divergent row of a book with one fault is that of the fault. Returns what caused it, as the comparison says. */
export function assertFound(cause: Cause, seed: number, place: FaultPlace = 'within'): ComparedRow {
  const formats = formatsWith(cause);
  const format = formats[seed % formats.length] ?? 'csv';
  const { comparison, faultyOrder } = compared(format, seed, cause, place);
  const first = comparison.firstDivergent;
  const text = `${format} ${seed} ${JSON.stringify(first)}`;
  assert.ok(first, text);
  if (faultyOrder === null) assert.equal(first.kind, 'funding', text);
  else assert.equal(first.orderId, faultyOrder, text);
  assertNoRemainder(comparison, text);
  return first;
}

function compared(
  format: BookFormat,
  seed: number,
  cause: Cause | null,
  place: FaultPlace = 'within',
): { comparison: Comparison; faultyOrder: string | null } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'books-'));
  try {
    const file = path.join(folder, 'book');
    const { source, ledger, faultyOrder } = writeBook(file, format, seed, cause, place);
    const comparison = compareFile(ledger, source, asFound);
    assert.ok(!('problem' in comparison));
    return { comparison, faultyOrder };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Funding is in two of the schemas. Without ids, a fill cannot be known to be of an order. */
function formatsWith(cause: Cause): readonly BookFormat[] {
  if (cause === 'fundingMissing' || cause === 'fundingTwice') return ['freqtrade', 'hummingbot'];
  return ['freqtrade', 'hummingbot', 'csv', 'jsonl'];
}

/** Also of what is not explained row by row. */
function assertNoRemainder({ totals }: Comparison, text: string): void {
  assert.ok(totals.length > 0, text);
  for (const { bot, exchange, explained, figure } of totals) {
    if (bot === null || exchange === null) continue;
    const parts = sum(explained.map(({ amount }) => amount));
    assert.equal(parts, difference(bot, exchange), `${figure} ${text}`);
  }
}
