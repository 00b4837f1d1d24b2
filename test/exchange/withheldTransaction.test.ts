import assert from 'node:assert/strict';
import { presetScheme } from '../../src/exchange/auth/scheme.ts';
import { ledgerHistoryNames, type ReconciliationReport } from '../../src/ledger/ledger.ts';
import { firstContradictions, periodsOf } from '../../src/ledger/reconciliation/contradictions.ts';
import { reconcile } from '../../src/ledger/reconciliation/reconciliation.ts';
import { readInterval } from '../../src/ledger/sync/ledgerPages.ts';
import { ledgerInMemory } from '../support/ledgerInMemory.ts';
import { practiceClock } from '../support/practiceTime.ts';
import { SyncedLedger } from '../support/syncedLedger.ts';
import { withholdingExchange, type WithholdingExchange } from '../support/withholdingExchange.ts';

describe('the reconciliation of a downloaded ledger', () => {
  let exchange: WithholdingExchange;
  before(async () => void (exchange = await withholdingExchange()));
  after(() => exchange.close());

  async function reconciled({ ledger }: SyncedLedger): Promise<ReconciliationReport> {
    const histories = ledgerHistoryNames.map(
      async (history) => [history, await ledger.coverage(history)] as const,
    );
    return reconcile(
      ledgerInMemory({
        checkpoints: ledger.checkpoints,
        records: Object.fromEntries(
          ledgerHistoryNames.map((history) => [history, ledger.records(history)]),
        ),
        coverage: Object.fromEntries(await Promise.all(histories)),
      }),
    );
  }

  it('names the fee that the exchange withholds, by its trade, also after it read the interval again', async () => {
    const world = new SyncedLedger(exchange, {
      clock: practiceClock(),
      client: { auth: presetScheme('none') },
    });
    await world.downloadAll();
    for (const isReadAgain of [false, true]) {
      const report = await reconciled(world);
      const contradictions = firstContradictions(report);
      assert.deepEqual(
        contradictions.map(({ identity, subject }) => [identity, subject]),
        [['tradeFees', 'usdt']],
      );
      const fees = report.find(({ identity }) => identity === 'tradeFees');
      const usdt = fees?.subjects.find(({ subject }) => subject === 'usdt');
      const [witnessed] = usdt?.candidates ?? [];
      assert.equal(witnessed?.kind, 'withoutTransaction');
      assert.ok(witnessed.rows.every(({ history }) => history === 'trades'));
      const { signal } = new AbortController();
      if (isReadAgain) return;
      for (const [history, intervals] of periodsOf(report, contradictions))
        for (const interval of intervals)
          await readInterval(
            { client: world.client, writer: world.ledger },
            history,
            interval,
            signal,
          );
    }
  });
});
