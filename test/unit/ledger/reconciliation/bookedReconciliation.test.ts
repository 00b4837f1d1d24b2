import assert from 'node:assert/strict';
import { bookedLedger, type BookedLedger } from '../../../support/bookedLedger.ts';
import {
  assertNamed,
  falseContradictions,
  faultKinds,
  reconcileBooks,
  tryFault,
} from '../../../support/reconciliationTrials.ts';

/** test/soak/reconciliation.test.ts does the same with more and larger books. */
const seeds = [1, 2, 3];
const size = 2000;

describe('the reconciliation of a made-up exchange', () => {
  let books: readonly { readonly seed: number; readonly ledger: BookedLedger }[];
  before(() => {
    books = seeds.map((seed) => ({ seed, ledger: bookedLedger(seed, size) }));
  });

  it('proves books with rows inside of brackets, late posting and clock errors', () => {
    const identities = reconcileBooks(bookedLedger(1, size)).slice(0, 4);
    assert.deepEqual(
      identities.map(({ subjects }) => subjects.length),
      [3, 3, 1, 1],
    );
    for (const { subjects } of identities)
      for (const { verdict } of subjects) assert.equal(verdict, 'proved');
    assert.deepEqual(
      seeds.flatMap((seed) => falseContradictions(10 + seed, size)),
      [],
    );
  });

  for (const kind of faultKinds)
    it(`names a row that was ${kind}`, () => {
      assertNamed(books.map(({ seed, ledger }) => tryFault(ledger, kind, seed)));
    });
});
