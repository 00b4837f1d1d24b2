import assert from 'node:assert/strict';
import type { Transaction } from '../../../../src/exchange/records.ts';
import type {
  Checkpoint,
  Coverage,
  IdentityReport,
  SubjectReport,
} from '../../../../src/ledger/ledger.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import { aTransaction, unknownFees } from '../../../support/builders.ts';
import { completeCoverage, ledgerInMemory } from '../../../support/ledgerInMemory.ts';

const start = Date.UTC(2026, 10, 20);
/** Between two checkpoints. */
const stepMs = 60_000;
const period = { from: start - stepMs, to: start + 100 * stepMs };

describe('a reconciliation', () => {
  it('proves an asset whose rows explain every change, in all digits', () => {
    const usdt = usdtOf({
      deposited: ['100', '100.000000000000000001', '90.5', '90.5', '80', '70', '60'],
      future: [
        [0, '0.000000000000000001'],
        [1, '-9.500000000000000001'],
        [3, '-10.5'],
        [4, '-10'],
        [5, '-10'],
      ],
    });
    assert.equal(usdt.verdict, 'proved');
    assert.deepEqual(
      usdt.periods.map(({ intervals }) => intervals),
      [6],
    );
    assert.equal(usdt.held, 5);
  });

  it('is undecided until the identity held in five intervals with rows', () => {
    const books = steadyBooks(5);
    assert.equal(usdtOf({ ...books, future: books.future.slice(1) }).reason, 'notLearned');
    assert.equal(usdtOf(books).verdict, 'proved');
  });

  it('says so if deposits do not follow the transactions', () => {
    const { future } = steadyBooks(8);
    const deposited = ['1', '50', '3', '99', '4', '57', '6', '13', '8'];
    assert.equal(usdtOf({ deposited, future }).reason, 'doesNotApply');
  });

  it('learns which accounts deposits follow', () => {
    const books = steadyBooks(8);
    const even = books.future.filter(([step]) => step % 2 === 0);
    const odd = books.future.filter(([step]) => step % 2 === 1);
    assert.equal(depositedOf({ ...books, future: [], spot: books.future }).reading, 'SPOT');
    assert.equal(depositedOf({ ...books, future: even, spot: odd }).reading, 'FUTURE_AND_SPOT');
    assert.equal(depositedOf({ ...books, spot: [[2, '5']] }).reading, 'FUTURE');
  });

  it('names the first interval that no rows explain, and its remainder in all digits', () => {
    const books = steadyBooks(12);
    const future = books.future.map(
      ([step, amount]) => [step, step === 7 ? '1.0000000000000000001' : amount] as const,
    );
    const { verdict, contradictions, candidates } = usdtOf({ ...books, future });
    assert.equal(verdict, 'contradicted');
    const [{ from, to, remainder } = assert.fail(), ...others] = contradictions;
    assert.equal(others.length, 0);
    assert.equal(remainder, '6.9999999999999999999');
    assert.deepEqual([from, to - 5101], [start + 7 * stepMs, start + 8 * stepMs]);
    const [, altered] = candidates;
    assert.equal(altered?.kind, 'alteredAmount');
    assert.equal(altered.rows[0]?.rightAmount, '8');
  });

  it('lets a row inside of a bracket fall on either side, on one of them only', () => {
    const books = steadyBooks(8);
    const inBracket = (lag: number): Books => ({
      ...books,
      future: books.future.map(([step, amount]) => [step === 3 ? 3 + lag : step, amount]),
    });
    // The row of step 3 is in the figures from checkpoint 4 on. It lies between request and answer of 4,
    // was posted late, and too late; between request and answer of 3, in the 3 s before that, and earlier.
    const at = (ms: number): number => ms / stepMs - rowOffset;
    const of4 = [at(50), at(4000), at(9000)].map((lag) => 1 + lag);
    const of3 = [at(50), at(-2900), at(-3100)];
    const verdicts = [...of4, ...of3].map((lag) => usdtOf(inBracket(lag)).verdict);
    const expected = ['proved', 'proved', 'contradicted'];
    assert.deepEqual(verdicts, [...expected, ...expected]);
  });

  it('leaves out a checkpoint with too many rows in its bracket', () => {
    const books = steadyBooks(8);
    const burst = Array.from({ length: 13 }, () => [8 - rowOffset, '0.5'] as const);
    // No split of the burst explains the figure of checkpoint 8.
    const deposited = [...books.deposited.slice(0, 8), '36.1', '42.5', '42.5'];
    const usdt = usdtOf({ deposited, future: [...books.future, ...burst] });
    assert.equal(usdt.verdict, 'proved');
    assert.equal(usdt.periods[0]?.intervals, 9);
  });

  describe('with many checkpoints in which nothing changed', () => {
    const { deposited, future } = steadyBooks(8);
    const quiet = { deposited: [...deposited, ...Array<string>(40).fill('36'), '45'], future };

    it('compares the first and the last of them', () => {
      const usdt = usdtOf({ ...quiet, future: [...future, [48, '9']] });
      assert.equal(usdt.verdict, 'proved');
      assert.deepEqual([usdt.periods[0]?.intervals, usdt.intervalCount, usdt.held], [10, 9, 9]);
    });

    it('names the interval of a missing row after them', () => {
      const [first, ...others] = usdtOf(quiet).contradictions;
      assert.deepEqual([first?.from, first?.remainder], [start + 48 * stepMs, '9']);
      assert.equal(others.length, 0);
    });

    it('finds wrong rows between them, even if these add up to 0', () => {
      const wrong = [[20, '1'] as const, [21, '-1'] as const, [48, '9'] as const];
      assert.deepEqual(
        usdtOf({ ...quiet, future: [...future, ...wrong] }).contradictions.map(
          ({ from, remainder }) => [from, remainder],
        ),
        [
          [start + 20 * stepMs, '-1'],
          [start + 21 * stepMs, '1'],
        ],
      );
    });
  });

  it('judges only what is covered as complete', () => {
    const books = steadyBooks(12);
    const withoutStep9 = { ...books, future: books.future.filter(([step]) => step !== 9) };
    const until9 = { from: period.from, to: start + 9 * stepMs + 1000 };
    const complete = completeCoverage(until9);
    const rest = completeCoverage({ from: until9.to, to: period.to });
    const verdict = (coverage: readonly Coverage[]): string =>
      usdtOf(withoutStep9, coverage).verdict;
    assert.equal(verdict([complete, rest]), 'contradicted');
    assert.equal(verdict([complete]), 'proved');
    assert.equal(verdict([complete, { ...rest, completeness: 'drifted' }]), 'proved');
    assert.equal(verdict([{ ...complete, completeness: 'unknown' }, rest]), 'undecided');
    // Read so early that rows of the end may not have been posted.
    assert.equal(verdict([complete, { ...rest, asOf: start + 10 * stepMs }]), 'proved');
  });

  it('contradicts nothing where the amount of a row, or a figure, is unknown', () => {
    const { deposited, future } = steadyBooks(14);
    const rows = future.map(([step, amount]) => [step, step === 7 ? null : amount] as const);
    const figures = deposited.map((figure, index) => (index === 11 ? null : figure));
    const { verdict, contradictions, periods } = usdtOf({ deposited: figures, future: rows });
    assert.deepEqual([verdict, contradictions.length, periods.length], ['proved', 0, 2]);
  });

  it('says how many rows fit equally', () => {
    const books = steadyBooks(12);
    const more = (amounts: readonly string[]): Books => ({
      ...books,
      future: [...books.future, ...amounts.map((amount) => [9, amount] as const)],
    });
    assert.equal(usdtOf(more(['2', '2', '2', '-6'])).verdict, 'proved');
    const { candidates } = usdtOf(more(['-2', '-2', '-2', '2']));
    assert.deepEqual(
      candidates.map(({ kind, count, amount }) => [kind, count, amount]),
      [
        ['flippedSign', 3, null],
        ['missing', 0, '4'],
        ['alteredAmount', 2, null],
      ],
    );
  });
});

/** A row's step, of which it lies in the middle, and its amount. */
type BookedRow = readonly [step: number, amount: string | null];
type Books = {
  readonly deposited: readonly (string | null)[];
  readonly future: readonly BookedRow[];
  readonly spot?: readonly BookedRow[];
};
const rowOffset = 0.5;

/** Step n books n + 1. */
function steadyBooks(steps: number) {
  const future = Array.from({ length: steps }, (_, step) => [step, String(step + 1)] as const);
  const deposited = Array.from({ length: steps + 1 }, (_, n) => String((n * (n + 1)) / 2));
  return { deposited, future };
}

function depositedOf(
  { deposited, future, spot = [] }: Books,
  coverage: readonly Coverage[] = [completeCoverage(period)],
): IdentityReport {
  const reader = ledgerInMemory({
    checkpoints: deposited.map(checkpoint),
    records: {
      futureTransactions: future.map(transaction),
      spotTransactions: spot.map(transaction),
    },
    coverage: { futureTransactions: coverage, spotTransactions: coverage },
  });
  return reconcile(reader)[0] ?? assert.fail();
}

function usdtOf(books: Books, coverage?: readonly Coverage[]): SubjectReport {
  return depositedOf(books, coverage).subjects[0] ?? assert.fail();
}

/** A request of 100 ms. */
function checkpoint(deposited: string | null, step: number): Checkpoint {
  const sentAt = start + step * stepMs;
  const assets = [{ name: 'usdt', deposited, margin: '0', locked: '0' }];
  const unknown = { positions: null, equity: null, upl: null, fees: unknownFees };
  return { sentAt, answeredAt: sentAt + 100, clockErrorMs: 0, assets, ...unknown };
}

function transaction([step, amount]: BookedRow, index: number): Transaction {
  const time = String(Math.round(start + (step + rowOffset) * stepMs));
  return aTransaction({ transactionId: String(1000 + index), amount, type: 'REWARD', time });
}
