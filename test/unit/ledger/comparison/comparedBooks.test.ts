import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compareFile } from '../../../../src/ledger/comparison/compare.ts';
import { causes } from '../../../../src/ledger/comparison/comparison.ts';
import { writeBook } from '../../../support/botBooks.ts';
import { asFound, assertClean, assertFound } from '../../../support/comparisonTrials.ts';
import { folderOfEachTest } from '../../../support/project.ts';

describe('the books of a bot beside those of the exchange', function () {
  this.timeout(120_000);

  it('agree if they are clean: floats, local times, contracts, cut decimals', () => {
    for (let seed = 0; seed < 15; seed += 1) assertClean(seed);
  });

  for (const cause of causes)
    it(`differ first where the fault is: ${cause}`, () => {
      for (let seed = 0; seed < 4; seed += 1)
        assert.equal(assertFound(cause, seed).causes[0], cause);
    });

  /** A fault there moves the beginning of the book, and what shows its conventions. */
  const atStart = [
    'feeSign',
    'feeAsset',
    'fillTwice',
    'missingFill',
    'multiplier',
    'rounding',
  ] as const;
  for (const cause of [...atStart, 'zone', 'manual', 'liquidation'] as const)
    it(`differ in their first row: ${cause}`, () => {
      for (let seed = 0; seed < 4; seed += 1)
        assert.equal(assertFound(cause, seed, 'first').causes[0], cause);
    });

  const folder = folderOfEachTest();
  const withoutFunding = {
    freqtrade: 'UPDATE trades SET funding_fees = NULL',
    hummingbot: 'DELETE FROM FundingPayment',
  };
  for (const format of ['freqtrade', 'hummingbot'] as const)
    it(`differ if they lost all of the funding: ${format}`, () => {
      const file = path.join(folder.path, format);
      const { source, ledger } = writeBook(file, format, 1, null);
      const database = new DatabaseSync(file);
      database.exec(withoutFunding[format]);
      database.close();
      const comparison = compareFile(ledger, source, asFound);
      assert.ok(!('problem' in comparison));
      const funding = comparison.rows.filter(({ kind }) => kind === 'funding');
      assert.equal(funding[0]?.causes[0], 'fundingMissing');
    });
});
