import assert from 'node:assert/strict';
import path from 'node:path';
import type { BotSource } from '../../src/ledger/comparison/botFile.ts';
import { causes } from '../../src/ledger/comparison/comparison.ts';
import { runToEnd } from '../support/childProcess.ts';
import type { ComparisonCost } from '../support/comparisonProcess.ts';
import { assertClean, assertFound } from '../support/comparisonTrials.ts';
import { largeBooks, writeLargeBook, writeLargeLedger } from '../support/largeBooks.ts';
import { temporaryFolder } from '../support/project.ts';

const cleanBooks = 300;
const seeds = 50;

describe('a comparison with many books of bots', () => {
  it(`diverges in none of ${cleanBooks} clean ones`, () => {
    for (let seed = 0; seed < cleanBooks; seed += 1) assertClean(seed);
  }).timeout(7_200_000);

  for (const cause of causes)
    it(`names the fault of each: ${cause}`, () => {
      let count = 0;
      for (let seed = 0; seed < seeds; seed += 1)
        if (assertFound(cause, seed).causes[0] === cause) count += 1;
      console.log(`${cause}: ${count} of ${seeds}`);
      assert.ok(count >= 0.95 * seeds);
    }).timeout(3_600_000);
});

describe('a comparison of 100,000 rows with 1,000,000 trades', () => {
  const script = path.join(import.meta.dirname, '../support/comparisonProcess.ts');
  const costOf = async (flags: readonly string[], ledger: string, source: BotSource) => {
    const command = ['--disable-warning=ExperimentalWarning', ...flags, script, ledger];
    const { code, output } = await runToEnd(process.execPath, [...command, JSON.stringify(source)]);
    assert.equal(code, 0, output);
    return JSON.parse(output) as ComparisonCost;
  };

  for (const book of largeBooks)
    it(`takes seconds, and a small heap: ${book}`, async () => {
      const folder = await temporaryFolder();
      try {
        const ledger = path.join(folder.path, 'ledger.sqlite');
        writeLargeLedger(ledger);
        const source = writeLargeBook(path.join(folder.path, book), book);
        const cost = await costOf([], ledger, source);
        // With more room, V8 collects garbage later.
        const small = ['--max-semi-space-size=4', '--max-old-space-size=128'];
        const { growthBytes } = await costOf(small, ledger, source);
        console.log(`${book}: ${JSON.stringify(cost)}, in a small heap ${growthBytes} bytes`);
        assert.ok(cost.agrees >= 100_000);
        assert.equal(cost.others, 0);
        // Twice what a machine without other work needs.
        assert.ok(cost.cpuMs < 10_000);
        assert.ok(growthBytes < 170e6);
      } finally {
        await folder.remove();
      }
    }).timeout(900_000);
});
