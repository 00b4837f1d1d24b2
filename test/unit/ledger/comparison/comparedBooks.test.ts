import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compareFile } from '../../../../src/ledger/comparison/compareFile.ts';
import {
  causes,
  type Cause,
  type Comparison,
} from '../../../../src/ledger/comparison/comparison.ts';
import {
  bookFormats,
  writeBook,
  type BookFault,
  type BookFormat,
} from '../../../support/botBooks.ts';
import { isSoakRun } from '../../../support/soakRun.ts';

const [cleanBooks, seeds] = isSoakRun ? [300, 50] : [20, 4];
const asFound = { offsetMinutes: null, symbols: {} };

describe('the books of a bot beside those of the exchange', function () {
  this.timeout(20 * 60_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'books-'));
  after(() => rmSync(folder, { recursive: true }));
  let files = 0;

  const compared = (
    format: BookFormat,
    seed: number,
    cause: Cause | null,
  ): { comparison: Comparison; fault: BookFault | null } => {
    const file = path.join(folder, String((files += 1)));
    const { source, ledger, fault } = writeBook(file, format, seed, cause);
    const comparison = compareFile(ledger, source, asFound);
    assert.ok(!('problem' in comparison));
    for (const each of [file, ledger]) rmSync(each);
    return { comparison, fault };
  };

  it('agree if they are clean: floats, local times, contracts, cut decimals', () => {
    for (let seed = 0; seed < cleanBooks; seed += 1) {
      const format = bookFormats[seed % bookFormats.length] ?? 'csv';
      const { comparison } = compared(format, seed, null);
      const { differs, onlyBot, onlyExchange, undecided, agrees } = comparison.counts;
      const divergent = [differs, onlyBot, onlyExchange, undecided];
      assert.deepEqual(
        divergent,
        [0, 0, 0, 0],
        `${format} ${seed} ${JSON.stringify(comparison.firstDivergent)}`,
      );
      assert.ok(agrees >= 500);
      assertNoRemainder(comparison, format);
    }
  });

  for (const cause of causes)
    it(`differ first where the fault is: ${cause}`, () => {
      const formats = formatsWith(cause);
      let named = 0;
      for (let seed = 0; seed < seeds; seed += 1) {
        const format = formats[seed % formats.length] ?? 'csv';
        const { comparison, fault } = compared(format, seed, cause);
        const first = comparison.firstDivergent;
        const text = `${format} ${seed} ${JSON.stringify(first)}`;
        assert.ok(first, text);
        if (typeof fault?.orderId !== 'string') assert.equal(first.kind, 'funding', text);
        else assert.equal(first.orderId, fault.orderId, text);
        if (first.causes[0] === cause) named += 1;
        else if (!isSoakRun) assert.fail(text);
        assertNoRemainder(comparison, text);
      }
      assert.ok(named >= 0.95 * seeds, `${named} of ${seeds}`);
    });
});

/** Funding is in two of the schemas. Without ids, a fill cannot be known to be of an order. */
function formatsWith(cause: Cause): readonly BookFormat[] {
  if (cause === 'fundingMissing' || cause === 'fundingTwice') return ['freqtrade', 'hummingbot'];
  return ['freqtrade', 'hummingbot', 'csv', 'jsonl'];
}

function assertNoRemainder({ totals }: Comparison, text: string): void {
  for (const { bot, exchange, remainder, figure } of totals)
    if (bot !== null && exchange !== null) assert.equal(remainder, '0', `${figure} ${text}`);
}
