import type { ReconciliationReport } from '../../../../src/ledger/ledger.ts';
import assert from 'node:assert/strict';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import type { Order, Trade } from '../../../../src/exchange/records.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import {
  everythingCovered,
  ledgerInMemory,
  type LedgerRecords,
} from '../../../support/ledgerInMemory.ts';
import { practiceLedger } from '../../../support/practiceLedger.ts';

/** The accounts start again on Mondays: several lie in it. */
const period = { from: Date.UTC(2026, 9, 8, 0, 30), to: Date.UTC(2026, 9, 8) + 40 * dayMs };

describe('the reconciliation of the practice account', () => {
  const { checkpoints, records } = practiceLedger(1, period, 3 * hourMs);
  const report = (changed: Partial<LedgerRecords> = {}): ReconciliationReport =>
    reconcile(
      ledgerInMemory({
        checkpoints,
        records: { ...records, ...changed },
        coverage: everythingCovered(period),
      }),
    );

  it('proves every asset and symbol in every identity', () => {
    const identities = report();
    assert.deepEqual(
      identities.map(({ identity, reading, failed }) => [identity, reading, failed]),
      [
        ['deposited', 'FUTURE', 0],
        ['position', 'signedFills', 0],
        ['tradeFees', 'oppositeSigns', 0],
        ['realizedPl', 'sameSigns', 0],
        ['transferLegs', 'oppositeSigns', 0],
        ['filled', 'sumOfTrades', 0],
        ['averageExecutionPrice', 'weightedByVolume', 0],
      ],
    );
    const subjects = identities.flatMap((each) => each.subjects);
    assert.ok(subjects.length > 20);
    assert.deepEqual(new Set(subjects.map(({ verdict }) => verdict)), new Set(['proved']));
  });

  describe('with a trade that is withheld', () => {
    const trades = records.trades as readonly Trade[];
    const orders = new Map<string | null, Order>(
      (records.orders as readonly Order[]).map((each) => [each.orderId, each]),
    );
    const tradesOf = Map.groupBy(trades, ({ orderId }) => orderId);
    const withhold = (type: Order['type']) => {
      const withheld = someOf(trades, ({ rpnl, orderId }) => {
        const order = orders.get(orderId);
        const hasOthers = (tradesOf.get(orderId)?.length ?? 0) > 1;
        return rpnl !== '0' && order?.type === type && order.status === 'EXECUTED' && hasOthers;
      });
      const identities = report({ trades: trades.filter((each) => each !== withheld) });
      const contradicted = identities.filter(({ subjects }) =>
        subjects.some(({ verdict }) => verdict === 'contradicted'),
      );
      const names = contradicted.map(({ identity }) => identity);
      const fees = identities.find(({ identity }) => identity === 'tradeFees');
      // The fee transaction of the trade may be one of something else.
      assert.ok(fees?.subjects.some(({ reason }) => reason === 'feeWithoutTrade'));
      return { withheld, contradicted, names };
    };

    it('names the order, if it did not rest', () => {
      const { withheld, contradicted, names } = withhold('MARKET');
      assert.deepEqual(names, ['position', 'realizedPl', 'filled', 'averageExecutionPrice']);
      const order = contradicted[2]?.subjects.find(({ verdict }) => verdict === 'contradicted');
      assert.equal(order?.contradictions[0]?.key, withheld.orderId);
      assert.equal(order.contradictions[0].remainder, withheld.amount);
    });

    it('uses the other identities to find the trade of an order that may have rested', () => {
      assert.deepEqual(withhold('LIMIT').names, ['position', 'realizedPl']);
    });
  });
});

/** Rows are newest first: a late one. */
function someOf<Row>(rows: readonly Row[], isWanted: (row: Row) => boolean): Row {
  const wanted = rows.filter(isWanted);
  return wanted[Math.floor(wanted.length / 10)] ?? assert.fail('no such row');
}
