import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Interval } from '../../src/base/interval.ts';
import { dayMs, hourMs, minuteMs } from '../../src/base/time.ts';
import type { HistorySelection } from '../../src/exchange/history/records.ts';
import type { Trade, Transaction } from '../../src/exchange/records.ts';
import {
  analysisViews,
  factsOf,
  type Analysis,
  type AnalysisRequest,
  type AnalysisView,
} from '../../src/ledger/analysis/analysis.ts';
import { writeLedger, type LedgerContent } from '../support/analysedLedger.ts';
import { aTrade, aTransaction, unknownFees } from '../support/builders.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { LedgerOfPanel } from '../support/panelLedger.ts';
import { practiceLedger } from '../support/practiceLedger.ts';
import { TestExporter } from '../support/testExporter.ts';
import { auditedLedger } from './auditedLedger.ts';

type World = LedgerContent & { readonly period: Interval };

/** In Berlin, the first has a day of 25 hours, and the second one of 23. */
const autumn = { from: Date.UTC(2026, 9, 16, 0, 30), to: Date.UTC(2026, 10, 3, 0, 30) };
const spring = { from: Date.UTC(2026, 2, 20), to: Date.UTC(2026, 3, 4, 12) };

const exports: Readonly<Record<string, HistorySelection>> = {
  trades: { operation: 'trades', filters: {} },
  futureTransactions: { operation: 'transactions', filters: { accountType: 'FUTURE' } },
  spotTransactions: { operation: 'transactions', filters: { accountType: 'SPOT' } },
};

/**
 * Ledgers, each with the rows that it exports as CSV, its checkpoints, and what the analysis says of it: Python
 * computes the same figures from the exported rows.
 */
export async function writeAnalyses(folder: string): Promise<void> {
  const worlds: Readonly<Record<string, World>> = {
    practice: { ...practiceLedger(1, autumn, 20 * minuteMs), period: autumn },
    onePosition: { ...onePositionLedger(), period: spring },
    awkward: { records: awkwardRecords(400), period: spring },
    oneRow: { records: awkwardRecords(1), period: spring },
    audited: { ...auditedLedger(spring), period: spring },
    empty: { records: awkwardRecords(0), period: spring },
  };
  for (const [name, world] of Object.entries(worlds))
    await writeWorld(path.join(folder, name), world);
}

async function writeWorld(folder: string, { period, ...content }: World): Promise<void> {
  await mkdir(folder, { recursive: true });
  const ledger = writeLedger(path.join(folder, 'ledger.sqlite'), content);
  const clock = new FakeClock(period.to + dayMs);
  const exporter = new TestExporter(folder, clock);
  const { current } = new LedgerOfPanel(ledger);
  // Every row comes from the ledger.
  const client = clientFor({ url: 'http://127.0.0.1:9' }, { clock });
  for (const [name, request] of Object.entries(exports))
    await exporter.export(client, request, {
      name: `${name}.csv`,
      ledger: current,
      period,
    });
  const analyses: { request: AnalysisRequest; analysis: Analysis }[] = [];
  for (const request of requestsOf(period))
    analyses.push({ request, analysis: await ledger.analyse(request) });
  ledger.close();
  await writeFile(path.join(folder, 'checkpoints.json'), JSON.stringify(content.checkpoints ?? []));
  await writeFile(path.join(folder, 'analyses.json'), JSON.stringify(analyses));
}

/** Every view in each of its splits, in zones whose days differ, by day, week and month. */
function requestsOf(period: Interval): readonly AnalysisRequest[] {
  const groups = [
    ['Europe/Berlin', 'day'],
    ['America/New_York', 'week'],
    ['Asia/Kathmandu', 'month'],
  ] as const;
  // Positions have books of their own.
  const views = (Object.keys(analysisViews) as AnalysisView[]).filter(
    (view) => !['positions', 'bySymbol', 'calendar'].includes(view),
  );
  const part = { from: period.from + 3 * dayMs + 5 * hourMs, to: period.to - 2 * dayMs };
  return views.flatMap((view) =>
    (factsOf(view).splits.length === 0 ? (['asset'] as const) : factsOf(view).splits).flatMap(
      (splitBy) =>
        groups.flatMap(([zone, groupBy]) =>
          [period, part].flatMap((asked) =>
            (['FUTURE', 'SPOT'] as const).map((account) => ({
              view,
              splitBy,
              zone,
              groupBy,
              account,
              period: asked,
              now: period.to,
            })),
          ),
        ),
    ),
  );
}

const amounts = [
  ...['0.1', '-0.1', '1E-7', '-0', '0', '1.10', '-5.25', '9007199254740993', '-9007199254740993.5'],
  ...['0.000000000000000001', '-0.000000000000000003', '123456789012345678.123456789012345678'],
  ...['-0.0000000000000000000000001', '1234567890123456789012345678.5', '100', '-99.99'],
];
const assets = ['usdt', 'btc', 'eth', 'eur', 'gbp', 'bnb', 'sol', 'xrp', 'ada', 'dot'];
const types = [
  ...['DEPOSIT', 'WITHDRAW', 'FEE', 'FUNDING_FEE', 'REALIZED_PL', 'LIQUIDATION_FEE'],
  ...['TRANSFER_TO_SPOT', 'TRANSFER_TO_FUTURE', 'REWARD', 'AIRDROP'],
];

/** Rows of ten assets with numbers that a float changes, spread over the period. */
function awkwardRecords(count: number) {
  const numbers = Array.from({ length: count }, (_none, index) => index);
  const time = (index: number): string =>
    String(spring.from + ((index * 7_919_000_001) % (spring.to - spring.from)));
  const trades = numbers.map((index): Trade =>
    aTrade({
      tradeId: String(9_007_199_254_740_993n + BigInt(index)),
      orderId: index % 11 === 0 ? `9${'0'.repeat(24)}${index % 3}` : String(index % 60),
      symbol: `${pick(assets, index + 3)}_${pick(assets, index)}`,
      side: pick(['BUY', 'SELL'], index),
      type: pick(['ORDER_BOOK', 'LIQUIDATION', 'ADL'], index),
      maker: index % 3 === 0,
      fee: pick(amounts, index * 5 + 1),
      rpnl: pick(amounts, index * 3),
      feeAsset: pick(assets, index * 7),
      time: time(index),
    }),
  );
  const transactions = (first: number): Transaction[] =>
    numbers.map((index) =>
      aTransaction({
        transactionId: String(first + index),
        asset: pick(assets, index * 3),
        type: pick(types, index + first),
        amount: pick(amounts, index * 7 + first),
        time: time(index * 13 + first),
      }),
    );
  const [futureTransactions, spotTransactions] = [transactions(1), transactions(100_002)];
  return { trades, futureTransactions, spotTransactions };
}

/** Funding of one position, of two, and of none that is known. */
function onePositionLedger(): LedgerContent {
  const held = [
    ['btc_usdt'],
    ['btc_usdt'],
    ['btc_usdt', 'eth_usdt'],
    ['eth_usdt'],
    ['eth_usdt'],
    [],
  ];
  const moments = Array.from({ length: 300 }, (_none, index) => index);
  const at = (index: number): number => spring.from + index * hourMs;
  const checkpoints = moments.map((index) => {
    const symbols = pick(held, Math.floor(index / 9));
    const deposited = String(1000 - Math.floor(index / 8));
    const upl = `${(index * 37) % 50}.${index}`;
    return {
      sentAt: at(index) + minuteMs,
      answeredAt: at(index) + minuteMs + 300,
      clockErrorMs: 15,
      fees: unknownFees,
      assets: [{ name: 'usdt', deposited, margin: '0', locked: '0' }],
      positions: symbols.map((symbol) => ({
        symbol,
        marginMode: 'ISOLATED',
        amount: '1',
        basePrice: '1',
      })),
      equity: `${Number(deposited) + ((index * 37) % 50)}.${index}`,
      upl,
    };
  });
  const futureTransactions = moments
    .filter((index) => index > 0 && index % 8 === 0)
    .map((index) =>
      aTransaction({
        transactionId: String(index),
        type: 'FUNDING_FEE',
        amount: '-1',
        time: String(at(index)),
      }),
    );
  const trades = [80, 200].map((index) =>
    aTrade({ tradeId: String(index), symbol: 'sol_usdt', time: String(at(index) + 1) }),
  );
  return { checkpoints, records: { trades, futureTransactions, spotTransactions: [] } };
}

function pick<Item>(from: readonly [Item, ...Item[]] | readonly Item[], index: number): Item {
  const item = from[index % from.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
