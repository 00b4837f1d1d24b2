import assert from 'node:assert/strict';
import path from 'node:path';
import type { LedgerCalls } from '../../../../src/ledger/storedLedger.ts';
import { analysisOf, writeLedger } from '../../../support/analysedLedger.ts';
import { ChargedTrades } from '../../../support/auditedFees.ts';
import { folderOfEachTest } from '../../../support/project.ts';

describe('an audit of the fees of a ledger', () => {
  const folder = folderOfEachTest();
  let ledger: LedgerCalls | undefined;
  const charged = new ChargedTrades(3);
  const { trades, overcharged } = charged.withOvercharge();
  const write = (): LedgerCalls => {
    ledger = writeLedger(path.join(folder.path, 'ledger.sqlite'), {
      records: { trades: trades.toReversed() },
      checkpoints: charged.checkpoints,
    });
    return ledger;
  };

  afterEach(() => ledger?.close());

  it('judges each trade of the period by its neighbours and all checkpoints', async () => {
    const { view, deviations, deviationCount, markets, coverage } = await analysisOf(
      write(),
      'feeAudit',
    );
    assert.deepEqual(
      [view, deviationCount, coverage.byHistory.map(({ history }) => history)],
      ['feeAudit', 1, ['trades']],
    );
    assert.equal(deviations[0]?.trade.tradeId, overcharged.tradeId);
    const [market] = markets;
    assert.equal(Object.values(market ?? {}).reduce<number>(addNumber, 0), trades.length);
  });

  it('gives a trade the same verdict in every period', async () => {
    const stored = write();
    const from = Number(overcharged.time);
    const { deviations, markets } = await analysisOf(stored, 'feeAudit', {
      period: { from, to: from + 1 },
    });
    assert.deepEqual(
      deviations.map(({ trade: { tradeId, fee } }) => ({ tradeId, fee })),
      [{ tradeId: overcharged.tradeId, fee: overcharged.fee }],
    );
    const counts = { asExpected: 0, dearer: 1, cheaper: 0, undecided: 0 };
    assert.deepEqual(markets, [{ symbol: overcharged.symbol, ...counts }]);
  });

  it('is empty for a ledger without trades', async () => {
    ledger = writeLedger(path.join(folder.path, 'ledger.sqlite'), {});
    const { markets, undecided, deviations, sums } = await analysisOf(ledger, 'feeAudit');
    assert.deepEqual([markets, undecided, deviations, sums], [[], [], [], []]);
  });
});

function addNumber(sum: number, value: unknown): number {
  return typeof value === 'number' ? sum + value : sum;
}
