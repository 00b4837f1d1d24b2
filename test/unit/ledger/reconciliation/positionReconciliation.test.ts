import assert from 'node:assert/strict';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import type { Order, Trade, Transaction } from '../../../../src/exchange/records.ts';
import type { Checkpoint, SubjectReport } from '../../../../src/ledger/ledger.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import { anOrder, aTrade, aTransaction, unknownFees } from '../../../support/builders.ts';
import { everythingCovered, ledgerInMemory } from '../../../support/ledgerInMemory.ts';

const start = Date.UTC(2026, 10, 20);
/** Between two checkpoints. */
const stepMs = 10 * minuteMs;
const period = { from: start - hourMs, to: start + 48 * hourMs };

describe('the reconciliation of positions', () => {
  const trips = [1, -1, 1, -1, 1, -1, 1, -1, 1, -1];

  it('proves a short position whose amount has no sign', () => {
    const fills = [...trips, -1, -2, 3];
    const { verdict, intervals } = positionOf({ fills, amounts: amountsAfter(fills, Math.abs) });
    assert.equal(verdict, 'proved');
    assert.deepEqual(
      intervals.slice(-3).map(({ figure, change }) => [figure, change]),
      [
        ['-1', '-1'],
        ['-3', '-2'],
        ['0', '3'],
      ],
    );
  });

  it('proves a position in each margin mode, of which one is short and none has a sign', () => {
    const fills = [...trips, 3, -2];
    const amounts = [...amountsAfter(trips), ['3'], ['3', '2']];
    assert.equal(positionOf({ fills, amounts }).verdict, 'proved');
  });

  for (const side of ['long', 'short'])
    it(`finds a trade that is withheld of a ${side} position without a sign`, () => {
      const all = [...trips, 1, 1, 1, -3].map((fill) => (side === 'long' ? fill : -fill));
      const fills = all.map((fill, step) => (step === 11 ? 0 : fill));
      const found = positionOf({ fills, amounts: amountsAfter(all, Math.abs) });
      assert.equal(found.verdict, 'contradicted');
      const [{ from, remainder } = assert.fail(), ...others] = found.contradictions;
      assert.deepEqual([from, remainder], [start + 11 * stepMs, side === 'long' ? '1' : '-1']);
      assert.equal(others.length, 0);
    });

  it('knows that an exchange writes signs once it wrote one', () => {
    const all = [...trips, -1, 1, 1, -2];
    const fills = all.map((fill, step) => (step === 12 ? -fill : fill));
    const [first] = positionOf({ fills, amounts: amountsAfter(all) }).contradictions;
    assert.deepEqual([first?.from, first?.remainder], [start + 12 * stepMs, '2']);
  });

  describe('with a position that is gone without a trade', () => {
    const fills = [1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 2];
    const amounts = [...amountsAfter(fills.slice(0, 8)), [], ['2'], ['4']];
    const fee = (step: number): Transaction =>
      aTransaction({ type: 'LIQUIDATION_FEE', amount: '-1', time: timeOf(step) });
    const order = (status: Order['status']): Order =>
      anOrder({ symbol: 'btc_usdt', status, filled: '0', time: timeOf(8) });

    it('does not contradict if it was liquidated', () => {
      for (const cause of [{ fees: [fee(8)] }, { orders: [order('LIQUIDATED')] }]) {
        const { verdict, contradictions, intervals, periods } = positionOf({
          fills,
          amounts,
          ...cause,
        });
        assert.deepEqual([verdict, contradictions, periods.length], ['proved', [], 2]);
        assert.ok(intervals.every(({ remainder }) => remainder === '0'));
      }
    });

    it('contradicts if no liquidation is near it', () => {
      for (const cause of [{ fees: [fee(5)] }, { orders: [order('CANCELED')] }]) {
        const { verdict, contradictions } = positionOf({ fills, amounts, ...cause });
        assert.equal(verdict, 'contradicted');
        assert.deepEqual(
          contradictions.map(({ from, remainder }) => [from, remainder]),
          [[start + 8 * stepMs, '-8']],
        );
      }
    });

    it('is undecided where a liquidation may be missing', () => {
      const { verdict, reason } = positionOf({ fills, amounts, withoutOrders: true });
      assert.deepEqual([verdict, reason], ['undecided', 'notLearned']);
    });
  });
});

type Books = {
  /** A buy above 0, a sell below, no trade at 0: one between two checkpoints. */
  readonly fills: readonly number[];
  /** The positions after each of them. */
  readonly amounts: readonly (readonly string[])[];
  readonly fees?: readonly Transaction[];
  readonly orders?: readonly Order[];
  /** The orders were not read. */
  readonly withoutOrders?: boolean;
};

function positionOf({
  fills,
  amounts,
  fees = [],
  orders = [],
  withoutOrders = false,
}: Books): SubjectReport {
  const trades = fills.flatMap((fill, step) => (fill === 0 ? [] : [tradeOf(fill, step)]));
  const covered = everythingCovered(period);
  const reader = ledgerInMemory({
    checkpoints: [[], ...amounts].map(checkpoint),
    records: { trades, orders, futureTransactions: fees },
    coverage: withoutOrders ? { ...covered, orders: [] } : covered,
  });
  const report = reconcile(reader).find(({ identity }) => identity === 'position');
  return report?.subjects.find(({ subject }) => subject === 'btc_usdt') ?? assert.fail();
}

function amountsAfter(
  fills: readonly number[],
  written = (amount: number): number => amount,
): readonly (readonly string[])[] {
  let amount = 0;
  return fills.map((fill) => {
    amount += fill;
    return amount === 0 ? [] : [String(written(amount))];
  });
}

function timeOf(step: number): string {
  return String(start + (step + 0.5) * stepMs);
}

function tradeOf(fill: number, step: number): Trade {
  return aTrade({
    tradeId: String(step),
    orderId: String(step),
    symbol: 'btc_usdt',
    side: fill > 0 ? 'BUY' : 'SELL',
    amount: String(Math.abs(fill)),
    time: timeOf(step),
  });
}

function checkpoint(amounts: readonly string[], step: number): Checkpoint {
  const sentAt = start + step * stepMs;
  const modes = ['ISOLATED', 'CROSS'];
  const positions = amounts.map((amount, index) => {
    return { symbol: 'btc_usdt', marginMode: modes[index] ?? '', amount, basePrice: '1' };
  });
  const unknown = { assets: null, equity: null, upl: null, fees: unknownFees };
  return { sentAt, answeredAt: sentAt + 100, clockErrorMs: 0, positions, ...unknown };
}
