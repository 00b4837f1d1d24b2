import assert from 'node:assert/strict';
import path from 'node:path';
import { hourMs } from '../../../../src/base/time.ts';
import type { AnalysisSeries } from '../../../../src/ledger/analysis/analysis.ts';
import type { LedgerCalls } from '../../../../src/ledger/ledgerMessages.ts';
import { analysisOf, writeLedger, type LedgerContent } from '../../../support/analysedLedger.ts';
import { aTrade, aTransaction } from '../../../support/builders.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const noon = Date.UTC(2025, 10, 18, 12);
const day = 24 * hourMs;

describe('the sums of an analysis', () => {
  const folder = folderOfEachTest();
  const open: LedgerCalls[] = [];
  const ledgerWith = (content: LedgerContent): LedgerCalls => {
    const ledger = writeLedger(path.join(folder.path, 'ledger.sqlite'), content);
    open.push(ledger);
    return ledger;
  };
  afterEach(() => open.splice(0).forEach((ledger) => ledger.close()));

  it('are none in an empty ledger, whose period is never read', async () => {
    const { series, buckets, coverage } = await analysisOf(ledgerWith({}), 'realizedPl');
    assert.deepEqual(series, []);
    assert.deepEqual(buckets, []);
    assert.deepEqual(coverage.complete, []);
    assert.equal(coverage.gaps[0]?.completeness, 'neverRead');
  });

  it('add realised P&L by day and margin asset, and leave out fills that realise none', async () => {
    const trades = [
      aTrade({ tradeId: '1', rpnl: '1.5', time: at(noon) }),
      aTrade({ tradeId: '2', rpnl: '-0.25', time: at(noon + 1), symbol: 'eth_usdt' }),
      aTrade({ tradeId: '3', rpnl: '0', time: at(noon + 2) }),
      aTrade({ tradeId: '4', rpnl: '7', time: at(noon + day), symbol: 'btc_eur' }),
    ];
    const period = { from: noon - hourMs, to: noon + day + 1 };
    const ledger = ledgerWith({ records: { trades } });
    const { series } = await analysisOf(ledger, 'realizedPl', { period });
    assert.deepEqual(series.map(brief), [
      { kind: 'realizedPl', asset: 'eur', key: null, total: '7', values: [null, '7'] },
      { kind: 'realizedPl', asset: 'usdt', key: null, total: '1.25', values: ['1.25', null] },
    ]);
    assert.deepEqual(series[1]?.selection.filters, { symbol: ['btc_usdt', 'eth_usdt'] });
  });

  it('split fees by side, with rebates apart, in the asset of each fee', async () => {
    const trades = [
      aTrade({ tradeId: '1', fee: '0.5', side: 'BUY', time: at(noon) }),
      aTrade({ tradeId: '2', fee: '0.25', side: 'SELL', time: at(noon) }),
      aTrade({ tradeId: '3', fee: '-0.1', side: 'SELL', time: at(noon) }),
      aTrade({ tradeId: '4', fee: '2', side: 'SELL', feeAsset: 'bnb', time: at(noon) }),
    ];
    const futureTransactions = [
      aTransaction({ type: 'LIQUIDATION_FEE', amount: '-3', time: at(noon) }),
      aTransaction({ type: 'FEE', amount: '-0.65', time: at(noon), transactionId: '2' }),
    ];
    const { series } = await analysisOf(
      ledgerWith({ records: { trades, futureTransactions } }),
      'fees',
      {
        splitBy: 'side',
      },
    );
    assert.deepEqual(
      series.map(({ kind, asset, key, total }) => [kind, asset, key, total]),
      [
        ['feePaid', 'bnb', 'SELL', '2'],
        ['feePaid', 'usdt', 'BUY', '0.5'],
        ['feePaid', 'usdt', 'SELL', '0.25'],
        ['feeRebate', 'usdt', 'SELL', '-0.1'],
        ['liquidationFee', 'usdt', null, '-3'],
      ],
    );
  });
});

function at(time: number): string {
  return String(time);
}

function brief({ kind, asset, key, total, values }: AnalysisSeries) {
  return { kind, asset, key, total, values };
}
