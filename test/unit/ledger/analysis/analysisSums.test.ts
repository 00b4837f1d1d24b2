import assert from 'node:assert/strict';
import path from 'node:path';
import type { Interval } from '../../../../src/base/interval.ts';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import type { AnalysisSeries } from '../../../../src/ledger/analysis/analysis.ts';
import type { Trade } from '../../../../src/exchange/records.ts';
import type { Checkpoint } from '../../../../src/ledger/ledger.ts';
import { recordJson } from '../../../../src/ledger/storage/recordLines.ts';
import type { LedgerCalls } from '../../../../src/ledger/storedLedger.ts';
import { analysisOf, writeLedger, type LedgerContent } from '../../../support/analysedLedger.ts';
import { takersPay } from '../../../support/auditedFees.ts';
import { aTrade, aTransaction, unknownFees } from '../../../support/builders.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const noon = Date.UTC(2025, 10, 18, 12);
const day = 24 * hourMs;

describe('the sums of an analysis', () => {
  const folder = folderOfEachTest();
  const open: LedgerCalls[] = [];
  const ledgerWith = (content: LedgerContent): LedgerCalls => {
    const ledger = writeLedger(path.join(folder.path, `ledger${open.length}.sqlite`), content);
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
      aTrade({ tradeId: '4', rpnl: '7', time: at(noon + day), symbol: 'btc_eur', feeAsset: 'eur' }),
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
      aTrade({ tradeId: '3', fee: '-0.1', maker: true, side: 'SELL', time: at(noon) }),
      aTrade({ tradeId: '4', fee: '2', side: 'SELL', feeAsset: 'bnb', time: at(noon) }),
    ];
    const futureTransactions = [
      aTransaction({ type: 'LIQUIDATION_FEE', amount: '-3', time: at(noon) }),
      aTransaction({ type: 'FEE', amount: '-0.65', time: at(noon), transactionId: '2' }),
    ];
    const { series } = await analysisOf(
      ledgerWith({ records: { trades, futureTransactions }, checkpoints: [takersPay(noon)] }),
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

  it('leave out rows that the exchange no longer lists', async () => {
    const trades = [1, 2, 3].map((id) =>
      aTrade({ tradeId: String(id), rpnl: `${10 ** id}`, time: at(noon + id) }),
    );
    const ledger = ledgerWith({ records: { trades } });
    const again = { history: 'trades', from: 0, to: 4e12, asOf: 4e12, purpose: 'current' } as const;
    const { id } = ledger.beginWalk(again);
    ledger.saveStep(id, trades.filter((_trade, index) => index !== 1).map(recordJson), null);
    ledger.endWalk(id, { completeness: 'complete', reason: null });
    const { series } = await analysisOf(ledger, 'realizedPl');
    assert.deepEqual(
      series.map(({ total, rows }) => [total, rows]),
      [['1010', 2]],
    );
  });

  it('are of the account whose cash flow is asked for', async () => {
    const content = {
      records: {
        futureTransactions: [aTransaction({ type: 'TRANSFER_TO_FUTURE', amount: '5' })],
        spotTransactions: [aTransaction({ type: 'TRANSFER_TO_FUTURE', amount: '-5' })],
      },
    };
    const ledger = ledgerWith(content);
    for (const [account, total] of [
      ['FUTURE', '5'],
      ['SPOT', '-5'],
    ] as const) {
      const { series } = await analysisOf(ledger, 'cashFlow', { account, splitBy: 'type' });
      assert.deepEqual(
        series.map((each) => [each.key, each.total]),
        [['TRANSFER_TO_FUTURE', total]],
      );
    }
  });

  it('say which rows to open for each bar', async () => {
    const trades = [aTrade({ rpnl: '1', side: 'SELL', time: at(noon) })];
    const { series } = await analysisOf(ledgerWith({ records: { trades } }), 'realizedPl', {
      splitBy: 'side',
    });
    assert.deepEqual(series[0]?.selection, {
      history: 'trades',
      filters: { symbol: ['btc_usdt'], side: ['SELL'] },
      isExact: false,
    });
  });

  describe('name what is missing', () => {
    const period = { from: noon, to: noon + 10 * day };
    const coverageOf = async (complete: readonly Interval[], now: number) => {
      const ledger = ledgerWith({ records: { trades: [] }, complete: { trades: complete } });
      const { coverage } = await analysisOf(ledger, 'realizedPl', { period, now });
      return coverage;
    };

    const to = noon + 4 * day;
    for (const [what, complete, now, gaps] of [
      ['nothing but the rows of the last hour', [{ from: 0, to }], to + hourMs, []],
      [
        'rows that are older',
        [{ from: 0, to }],
        to + hourMs + 1,
        [{ from: to, to: to + hourMs + 1 }],
      ],
      [
        'all, if nothing was read, be it of the last hour',
        [],
        noon + 1,
        [{ from: noon, to: noon + 1 }],
      ],
    ] as const)
      it(`which is ${what}`, async () => {
        const found = await coverageOf(complete, now);
        assert.deepEqual(
          found.gaps.map(({ from, to: end }) => ({ from, to: end })),
          gaps,
        );
        assert.deepEqual(found.complete, complete.length > 0 ? [{ from: noon, to }] : []);
      });

    it('between two reads, and before the first', async () => {
      const reads = [
        { from: noon + day, to: noon + 2 * day },
        { from: noon + 3 * day, to: noon + 10 * day },
      ];
      const { gaps, complete } = await coverageOf(reads, period.to);
      assert.deepEqual(complete, reads);
      assert.deepEqual(
        gaps.map(({ from, to: end, completeness }) => [from, end, completeness]),
        [
          [noon, noon + day, 'neverRead'],
          [noon + 2 * day, noon + 3 * day, 'neverRead'],
        ],
      );
    });

    it('of every history that the figures are made of', async () => {
      const ledger = ledgerWith({ records: { trades: [] } });
      const { coverage } = await analysisOf(ledger, 'fees', { period, now: period.to });
      assert.deepEqual(coverage.complete, []);
      const counts = { undatedRows: 0, lackingRows: 0 };
      assert.deepEqual(coverage.byHistory, [
        { history: 'trades', complete: [period], neverRead: [], asOf: 4e12, ...counts },
        {
          history: 'futureTransactions',
          ...{ complete: [], neverRead: [period], asOf: null, ...counts },
        },
      ]);
      assert.deepEqual(
        coverage.gaps.map(({ history }) => history),
        ['futureTransactions'],
      );
    });

    it('with the rows whose time cannot be read', async () => {
      const ledger = ledgerWith({ records: { trades: [aTrade({ time: '12', rpnl: '1' })] } });
      const { coverage, series } = await analysisOf(ledger, 'realizedPl');
      assert.equal(coverage.byHistory[0]?.undatedRows, 1);
      assert.deepEqual(series, []);
    });
  });

  it('count the rows that lack a figure, which no sum has', async () => {
    const trades = [
      aTrade({ tradeId: '1', fee: '1', rpnl: '2', time: at(noon) }),
      aTrade({ tradeId: '2', fee: null, rpnl: '4', time: at(noon) }),
      aTrade({ tradeId: '3', fee: '1', rpnl: '8', price: null, time: at(noon - day) }),
    ];
    const ledger = ledgerWith({ records: { trades } });
    const period = { from: noon - 1, to: noon + 1 };
    const lacking = async (view: 'realizedPl' | 'fees' | 'feeAudit', asked = period) =>
      (await analysisOf(ledger, view, { period: asked })).coverage.byHistory[0]?.lackingRows;
    assert.deepEqual([await lacking('realizedPl'), await lacking('fees')], [0, 1]);
    const longer = { ...period, from: period.from - day };
    assert.deepEqual([await lacking('fees', longer), await lacking('feeAudit', longer)], [1, 2]);
  });

  describe('of cash', () => {
    const transactions = [
      aTransaction({ transactionId: '1', type: 'DEPOSIT', amount: '100', time: at(noon) }),
      aTransaction({ transactionId: '2', type: 'FEE', amount: '-1.5', time: at(noon + 2 * day) }),
    ];
    const known = { futureTransactions: transactions };
    const period = { from: noon + day, to: noon + 3 * day };

    const unknown = { futureTransactions: [{ from: noon - day, to: noon + 3 * day }] };
    const lacking = aTransaction({ transactionId: '3', amount: null, time: at(noon) });
    const all = { futureTransactions: [...transactions, lacking] };
    const change = ['change', '0', ['0', '-1.5', '-1.5']] as const;
    for (const [what, complete, records, ...expected] of [
      ['what was there before', {}, known, 'balance', '100', ['100', '98.5', '98.5']],
      ['0 if that is not known', unknown, known, ...change],
      ['0 if a row before lacks its amount', {}, all, ...change],
    ] as const)
      it(`begin with ${what}`, async () => {
        const { curves } = await analysisOf(ledgerWith({ records, complete }), 'cash', { period });
        const [{ basis, opening, values } = assert.fail()] = curves;
        assert.deepEqual([basis, opening, values], expected);
      });
  });

  describe('of cash whose deposited balance is known', () => {
    const start = noon - 12 * hourMs;
    const period = { from: start + 2 * day, to: start + 8 * day };
    const fees = Array.from({ length: 8 }, (_none, index) =>
      aTransaction({
        transactionId: String(index + 1),
        type: 'FEE',
        amount: '-1',
        time: at(start + index * day + hourMs),
      }),
    );
    /** Every six hours, of an account that had 1,000 before the first fee. */
    const samples = (from: number, of = (fee: number) => String(1000 - fee)): Checkpoint[] =>
      Array.from({ length: 4 * 8 }, (_none, index) => {
        const answeredAt = start + index * 6 * hourMs;
        const fee = fees.filter(({ time }) => Number(time) < answeredAt).length;
        const still = { name: 'bnb', deposited: '3', margin: '3', locked: '0' };
        const assets = [{ ...still, name: 'usdt', deposited: of(fee) }, still];
        const times = { sentAt: answeredAt - 100, answeredAt, clockErrorMs: 0, fees: unknownFees };
        return { ...times, assets, positions: [], equity: null, upl: null };
      }).filter(({ answeredAt }) => answeredAt >= from);
    const complete = { futureTransactions: [{ from: start + day, to: 4e12 }] };
    const openings = async (
      checkpoints: readonly Checkpoint[],
      content: Partial<LedgerContent> = {},
      request: { readonly account?: 'SPOT' } = {},
    ) => {
      const records = { futureTransactions: fees, spotTransactions: [] };
      const ledger = ledgerWith({ records, complete, checkpoints, ...content });
      const { curves } = await analysisOf(ledger, 'cash', { period, now: period.to, ...request });
      return curves.map(({ asset, basis, opening }) => `${asset} ${basis} ${opening}`);
    };

    it('have no balance across a contradicted interval, however many rows came since', async () => {
      const later = Array.from({ length: 1200 }, (_none, index) =>
        aTransaction({
          ...{ transactionId: String(100 + index), type: 'FEE', amount: '-1' },
          time: at(start + 9 * day + index * 10 * minuteMs),
        }),
      );
      const [last = assert.fail()] = samples(0).slice(-1);
      // 50 are missing around the start of the period.
      const before = samples(0).filter(({ answeredAt }) => answeredAt < start + 1.6 * day);
      const since = later.slice(0, 1000).map(({ time }, index) => ({
        ...last,
        ...{ sentAt: Number(time) + minuteMs, answeredAt: Number(time) + 2 * minuteMs },
        assets: (last.assets ?? []).map((asset) =>
          asset.name === 'usdt' ? { ...asset, deposited: String(941 - index) } : asset,
        ),
      }));
      const records = { futureTransactions: [...fees, ...later], spotTransactions: [] };
      const found = await openings([...before, ...since], { records });
      assert.deepEqual(found, ['bnb deposited 3', 'usdt change 0']);
    });

    it('begin with the balance before or after the start of the period', async () => {
      const expected = ['bnb deposited 3', 'usdt deposited 998'];
      assert.deepEqual(await openings(samples(0)), expected);
      assert.deepEqual(await openings(samples(start + 2.4 * day)), expected);
    });

    it('begin at 0 where rows may be missing since then', async () => {
      const gap = [
        { from: start + day, to: start + 4 * day },
        { from: start + 5 * day, to: 4e12 },
      ];
      const found = await openings(samples(0), { complete: { futureTransactions: gap } });
      assert.deepEqual(found, ['usdt change 0']);
    });

    it('begin with a later balance where rows may be missing between the earlier one and the start', async () => {
      const checkpoints = samples(0).filter(
        ({ sentAt }) => sentAt < start + day || sentAt > period.from,
      );
      const reads = [
        { from: 0, to: start + day + minuteMs },
        { from: period.from, to: 4e12 },
      ];
      const found = await openings(checkpoints, {
        records: { futureTransactions: fees.filter((_fee, index) => index !== 1) },
        complete: { futureTransactions: reads },
      });
      assert.deepEqual(found, ['bnb deposited 3', 'usdt deposited 998']);
    });

    it('begin at 0 where it is not learned what the balance follows', async () => {
      assert.deepEqual(await openings(samples(start + 6 * day)), ['usdt change 0']);
      const others = samples(0, (fee) => String(1000 + fee * fee));
      assert.deepEqual(await openings(others), ['usdt change 0']);
    });

    it('begin at 0 if the balance follows the other account', async () => {
      const records = { futureTransactions: [], spotTransactions: fees };
      assert.deepEqual(await openings(samples(0), { records }), []);
      const ofSpot = await openings(samples(0), { records }, { account: 'SPOT' });
      assert.deepEqual(ofSpot, ['bnb deposited 3', 'usdt deposited 998']);
    });
  });

  describe('of funding, split by symbol', () => {
    const fee = aTransaction({ type: 'FUNDING_FEE', amount: '-1', time: at(noon) });
    const moment = (time: number, ...symbols: readonly string[]): Checkpoint => ({
      sentAt: time - 100,
      answeredAt: time,
      clockErrorMs: 0,
      fees: unknownFees,
      assets: null,
      positions: symbols.map((symbol) => ({
        symbol,
        marginMode: 'ISOLATED',
        amount: '1',
        basePrice: '1',
      })),
      equity: null,
      upl: null,
    });
    const symbolOf = async (
      checkpoints: readonly Checkpoint[],
      trades: readonly Trade[] = [],
      complete: LedgerContent['complete'] = {},
    ) => {
      const records = { futureTransactions: [fee], trades };
      const ledger = ledgerWith({ records, checkpoints, complete });
      const { series } = await analysisOf(ledger, 'funding', { splitBy: 'symbol' });
      assert.equal(series.length, 1);
      return series[0]?.key;
    };
    const [before, after] = [moment(noon - hourMs, 'btc_usdt'), moment(noon + hourMs, 'btc_usdt')];

    const traded = (symbol: string): Trade[] => [aTrade({ symbol, time: at(noon - 1) })];
    const two = moment(noon + hourMs, 'btc_usdt', 'eth_usdt');
    const other = moment(noon + hourMs, 'eth_usdt');
    const missing = { trades: [{ from: 0, to: noon }] };
    for (const [what, checkpoints, trades, complete, symbol] of [
      ['the only position that was open', [before, after], traded('btc_usdt'), {}, 'btc_usdt'],
      ['none while two were open', [before, two], [], {}, null],
      ['none if another one was open later', [before, other], [], {}, null],
      [
        'none if another symbol was traded meanwhile',
        [before, after],
        traded('eth_usdt'),
        {},
        null,
      ],
      ['none if trades may be missing', [before, after], [], missing, null],
      ['none without a sample after', [before], [], {}, null],
      ['none without a sample before', [after], [], {}, null],
    ] as const)
      it(`are of ${what}`, async () => {
        assert.equal(await symbolOf(checkpoints, trades, complete), symbol);
      });
  });
});

function at(time: number): string {
  return String(time);
}

function brief({ kind, asset, key, total, values }: AnalysisSeries) {
  return { kind, asset, key, total, values };
}
