import assert from 'node:assert/strict';
import path from 'node:path';
import { sum } from '../../../src/base/decimal.ts';
import { hourMs } from '../../../src/base/time.ts';
import { analysisOf, writeLedger } from '../../support/analysedLedger.ts';
import { takersPay } from '../../support/auditedFees.ts';
import { aTrade, aTransaction } from '../../support/builders.ts';
import { testHabits } from '../../support/habits.ts';
import { folderOfEachTest } from '../../support/project.ts';
import { parseReport } from '../../../src/ledger/reconciliation/reportJson.ts';

const start = Date.UTC(2026, 9, 1);
const period = { from: start, to: start + 24 * hourMs };

type Traded = {
  readonly symbol: string;
  /** In which its P&L of 10 is booked after each trade; none is booked without. */
  readonly booked?: string;
  readonly feeAsset?: string;
};

describe('a ledger whose symbols do not end with their asset', () => {
  const folder = folderOfEachTest();

  /** What eight trades of each symbol come to, by asset, and what the reconciliation says of them. */
  const shown = async (
    traded: readonly Traded[],
    listed: readonly (readonly [symbol: string, marginAsset: string])[] = [],
  ) => {
    const rows = traded.flatMap(({ symbol, booked, feeAsset = booked }, number) =>
      Array.from({ length: 8 }, (_none, index) => {
        const id = String(100 * (number + 1) + index);
        const time = String(start + (index + 1) * hourMs + number);
        const fields = { symbol, rpnl: '10', fee: '0.5', feeAsset: feeAsset ?? 'bnb', time };
        return {
          trade: aTrade({ tradeId: id, orderId: id, ...fields }),
          booked:
            booked === undefined
              ? []
              : [booked].map((asset) =>
                  aTransaction({
                    transactionId: id,
                    type: 'REALIZED_PL',
                    asset,
                    amount: '10',
                    time,
                  }),
                ),
        };
      }),
    );
    const records = {
      trades: rows.map(({ trade }) => trade),
      futureTransactions: rows.flatMap(({ booked }) => booked),
    };
    const ledger = writeLedger(path.join(folder.path, `${crypto.randomUUID()}.sqlite`), {
      records,
      checkpoints: [takersPay(start)],
    });
    ledger.keepSymbols(
      listed.map(([symbol, marginAsset]) => ({ symbol, marginAsset, quoteAsset: 'usd' })),
    );
    const asked = { period, now: period.to };
    const { assets } = await analysisOf(ledger, 'numbers', asked);
    const { series } = await analysisOf(ledger, 'realizedPl', asked);
    const { symbols } = await analysisOf(ledger, 'bySymbol', asked);
    const calendar = await analysisOf(ledger, 'calendar', asked);
    const isUnknown = ({ assetBasis }: { readonly assetBasis: string }) => assetBasis === 'unknown';
    for (const { net, fees } of symbols.filter(isUnknown))
      assert.deepEqual([net, fees], [null, null]);
    for (const { days } of calendar.assets.filter(isUnknown))
      assert.ok(days.every(({ net }) => net === null));
    for (const { asset, netPl } of assets.filter((each) => !isUnknown(each))) {
      const own = symbols.filter((each) => each.asset === asset);
      const days = calendar.assets.find((each) => each.asset === asset)?.days ?? [];
      for (const parts of [own, days])
        assert.equal(sum(parts.map(({ net }) => net ?? assert.fail())), netPl, asset);
    }
    const report = parseReport(await ledger.reconcile());
    ledger.close();
    const figures = (asset: string, basis: string, total: string | null) =>
      `${asset} ${basis} ${total}`;
    assert.deepEqual(
      series.map(({ asset, assetBasis, total }) => figures(asset, assetBasis, total)),
      assets
        .filter(({ closedOrders }) => closedOrders > 0)
        .map(({ asset, assetBasis, grossPl }) => figures(asset, assetBasis, grossPl)),
    );
    const realizedPl = report.find(({ identity }) => identity === 'realizedPl');
    return {
      net: assets.map(({ asset, assetBasis, netPl }) => `${asset} ${assetBasis} ${netPl}`),
      agree: assets.map(({ agreement }) => agreement.verdict).join(' '),
      subjects: realizedPl?.subjects.map(({ subject, verdict }) => `${subject} ${verdict}`),
    };
  };

  type Case = readonly [
    traded: readonly Traded[],
    listed: readonly (readonly [symbol: string, marginAsset: string])[],
    net: readonly string[],
  ];
  const known = (symbol: string, asset: string): Case => [
    [{ symbol, feeAsset: asset }],
    [[symbol, asset]],
    [`${asset} known 76`],
  ];
  const inOtherLetters = (symbol: string, listed: string, asset: string): Case => [
    [{ symbol, booked: asset }],
    [[symbol, listed]],
    [`${asset} known 76`],
  ];
  const cases: readonly [habit: string, sees: string, ...cases: Case[]][] = [
    [
      'the margin asset stands before the end of the symbol',
      'P&L in the asset that exchange information names',
      known('btc_usd', 'btc'),
      known('btc_usdt_261225', 'usdt'),
      known('btc_usdt_perp', 'usdt'),
      known('XBTUSD', 'xbt'),
    ],
    [
      'exchange information writes the asset in other letters than the records',
      'one asset, as the records write it',
      inOtherLetters('btc_usdt', 'USDT', 'usdt'),
      inOtherLetters('btc_usd', 'BTC', 'btc'),
      inOtherLetters('BTC_USDT_261225', 'usdt', 'USDT'),
    ],
    [
      'fees write the asset in other letters than transactions',
      'a net that has these fees',
      [[{ symbol: 'btc_usdt', booked: 'usdt', feeAsset: 'USDT' }], [], ['usdt known 76']],
    ],
    [
      'nothing is listed, and the symbol does not end with an asset',
      'an unknown asset, not a date or a symbol',
      [[{ symbol: 'btc_usdt_261225' }], [], ['btc_usdt_261225 unknown null']],
      [[{ symbol: 'BTCUSDT' }], [], ['BTCUSDT unknown null']],
      [[{ symbol: 'btc_usdt', feeAsset: 'USDT' }], [], ['USDT assumed 76']],
    ],
    [
      'two symbols realise the same P&L at the same time in two assets',
      'no asset that is taken for another one',
      [
        [
          { symbol: 'btc_usd', booked: 'btc' },
          { symbol: 'eth_usd', booked: 'eth' },
        ],
        [['sol_usd', 'sol']],
        ['btc known -4', 'btc_usd unknown null', 'eth known 76'],
      ],
    ],
    [
      'the symbol is no longer listed, and nothing books its P&L',
      'an assumed asset, if all listed symbols end with theirs, else an unknown one for each symbol',
      [[{ symbol: 'btc_usdt', feeAsset: 'usdt' }], [['eth_usdt', 'usdt']], ['usdt assumed 76']],
      [
        [{ symbol: 'btc_usd' }, { symbol: 'eth_usd' }, { symbol: 'sol_usdt' }],
        [
          ['sol_usdt', 'usdt'],
          ['sol_usd', 'sol'],
        ],
        ['btc_usd unknown null', 'eth_usd unknown null', 'usdt known 80'],
      ],
    ],
  ];

  testHabits('symbols and assets', [
    ...cases.map(([habit, sees, ...ledgers]) => ({
      habit,
      source: 'issue 27: btc_usd, btc_usdt_261225, or a sibling',
      sees,
      check: async () => {
        for (const [traded, listed, net] of ledgers)
          assert.deepEqual((await shown(traded, listed)).net, net);
      },
    })),
    {
      habit: 'the symbol is no longer listed, and transactions book its P&L',
      source: 'a sibling of a margin asset before the end',
      sees: 'P&L in the asset of the transactions, which agree',
      check: async () => {
        for (const [symbol, booked] of [
          ['btc_usd', 'btc'],
          ['btc_usdt_261225', 'usdt'],
          ['btc_usdt', 'usdt'],
        ] as const) {
          const found = await shown([{ symbol, booked }], [['eth_usd_270326', 'eth']]);
          assert.deepEqual(
            found,
            {
              net: [`${booked} known 76`],
              agree: 'agree',
              subjects: [`${booked} proved`],
            },
            symbol,
          );
        }
      },
    },
    {
      habit: 'the quote asset stands before the end of the symbol',
      source: 'a sibling of a margin asset before the end',
      sees: 'fees that are judged in the asset of the price, and in no other',
      check: async () => {
        for (const [symbol, marginAsset, quoteAsset, isJudged] of [
          ['btc_usdt_261225', 'usdt', 'usdt', true],
          ['btc_usdt_perp', 'usdt', 'usdt', true],
          ['btc_usd', 'btc', 'usd', false],
        ] as const) {
          const trades = Array.from({ length: 12 }, (_none, index) =>
            aTrade({
              ...{ tradeId: String(index + 1), symbol, feeAsset: marginAsset, type: 'ORDER_BOOK' },
              ...{ amount: '0.02', price: '100001', fee: '1.00001' },
              time: String(start + index * hourMs),
            }),
          );
          const ledger = writeLedger(path.join(folder.path, `${crypto.randomUUID()}.sqlite`), {
            records: { trades },
            checkpoints: [takersPay(start - 1), takersPay(period.to)],
          });
          ledger.keepSymbols([{ symbol, marginAsset, quoteAsset }]);
          const { markets, undecided } = await analysisOf(ledger, 'feeAudit', { period });
          ledger.close();
          assert.equal(markets[0]?.asExpected, isJudged ? 12 : 0, symbol);
          assert.equal(undecided[0]?.reason, isJudged ? undefined : 'otherAsset', symbol);
        }
      },
    },
  ]);
});
