import assert from 'node:assert/strict';
import { always } from '../../../../src/base/interval.ts';
import { autoConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../../../src/exchange/history/exchangeConventions.ts';
import type {
  Finding,
  FindingReason,
} from '../../../../src/exchange/history/learnedConventions.ts';

const found = <Concluded>(concluded: Concluded, reason: FindingReason) => ({
  ...{ concluded, reason },
  evidence: [],
  seenAt: 1,
});
const dates = (concluded: Finding<'dates'>['concluded'], reason: FindingReason) =>
  found(concluded, reason);

describe('what is learned of an exchange', () => {
  let conventions: ExchangeConventions;
  beforeEach(() => (conventions = new ExchangeConventions(autoConventions)));

  it('stays if a later test finds nothing out, unless that contradicts it', () => {
    for (const [reason, concluded] of [
      ['noRows', 1],
      ['budgetSpent', 1],
      ['unreadable', 1],
      ['pageIgnored', 'undecided'],
    ] as const) {
      conventions.recordFinding('firstPage', found(1, 'zeroRefused'));
      conventions.recordFinding('firstPage', found('undecided', reason));
      const { firstPage } = conventions.learned.findings;
      assert.equal(firstPage?.concluded, concluded, reason);
    }
  });

  it('is replaced by what a later test finds', () => {
    conventions.recordFinding('firstPage', found(1, 'zeroRefused'));
    conventions.recordFinding('firstPage', found(0, 'pagesFollow'));
    assert.equal(conventions.current.firstPage, 0);
  });

  it('leaves rows of a period unproven if a test tried to read its dates and could not', () => {
    const period = { ...always, from: 5 };
    const unprovenAfter = (reason: FindingReason): string[] => {
      conventions.recordFinding('dates', dates('undecided', reason));
      return [false, true].map((isEmpty) =>
        conventions.unprovenConventions(period, isEmpty).join(),
      );
    };
    const [both, ifEmpty] = [Array<string>(2).fill('datesUndecided'), ['', 'datesUndecided']];
    assert.deepEqual(unprovenAfter('noRows'), ifEmpty);
    assert.deepEqual(unprovenAfter('tooFewTimes'), ifEmpty);
    assert.deepEqual(unprovenAfter('dateFiltersIgnored'), both);
    assert.deepEqual(unprovenAfter('budgetSpent'), both);
    conventions.recordFinding('dates', dates('isoInstant', 'dateFiltersApplied'));
    assert.deepEqual(conventions.unprovenConventions(period, true), []);
  });
});
