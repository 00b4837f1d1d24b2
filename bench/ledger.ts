import { statSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { always } from '../src/base/interval.ts';
import type { Trade } from '../src/exchange/records.ts';
import { idsInText, storedIds } from '../src/host/ids/storedIds.ts';
import { recordsOf } from '../src/ledger/relatedRecords.ts';
import type { LedgerQuery } from '../src/ledger/ledger.ts';
import type { LedgerClient } from '../src/ledger/ledgerClient.ts';
import { Ledgers } from '../src/ledger/ledgers.ts';
import { sumColumns } from '../src/ledger/storage/sums.ts';
import { projectRoot, temporaryFolder } from '../test/support/project.ts';
import { medianTimeOf, percentile, timeOf, type Figure } from './figures.ts';
import { sizes } from './sizes.ts';

const count = sizes.ledgerTrades;
const stepSize = 5000;
const pageSize = 200;
const everything: LedgerQuery = {
  history: 'trades',
  period: always,
  filters: {},
  search: '',
  sort: null,
};
const symbols = ['btc_usdt', 'eth_usdt', 'sol_usdt', 'xrp_usdt', 'ada_usdt'] as const;

/** What a ledger of many trades takes to write, to read in any order, to search and to sum, beside SQLite alone. */
export async function ledgerFigures(): Promise<Figure[]> {
  const folder = await temporaryFolder();
  const workerFile = path.join(projectRoot, 'dist/ledgerWorker.cjs');
  const ledgers = new Ledgers({ folder: folder.path, workerFile });
  const id = ledgers.create();
  const client = ledgers.open(id);
  const file = path.join(folder.path, `${id}.sqlite`);
  try {
    const plain = await plainTrades(path.join(folder.path, 'plain.sqlite'));
    return [
      ...(await inserts(client, file, plain)),
      ...(await reads(client, plain)),
      ...(await idFigures(client)),
      ...(await positionFigures(client, plain)),
      ...exactSums(file, path.join(folder.path, 'floats.sqlite')),
    ];
  } finally {
    await client.close();
    await folder.remove();
  }
}

/** Newest first, as a walk reads them. */
function trade(number: number): Trade {
  const side = number % 3 === 0 ? 'SELL' : 'BUY';
  return {
    tradeId: String(90_000_000 - number),
    orderId: String(50_000_000 - Math.floor(number / 2)),
    symbol: symbols[(number * 7919) % symbols.length] ?? '',
    amount: `0.${((number * 7919) % 100_000) + 1}`,
    price: `${50_000 + (number % 977)}.${number % 100}`,
    side,
    maker: number % 2 === 0,
    fee: `-0.00${(number * 31) % 100_000}`,
    // The oldest of each symbol opens.
    rpnl: number % 5 === 0 && number < count - symbols.length ? `-1.${number % 10_007}` : '0',
    feeAsset: number % 7 === 0 ? 'bnb' : 'usdt',
    type: 'LIMIT',
    time: String(1_763_632_800_000 - number * 700),
    extra: {},
  };
}

/** The baseline: SQLite alone, with the text of each trade and nothing else. */
type PlainTrades = { readonly insertMs: number; readonly scanMs: number; readonly bytes: number };

async function plainTrades(file: string): Promise<PlainTrades> {
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE trades (row INTEGER PRIMARY KEY, json TEXT)');
  const insert = database.prepare('INSERT INTO trades VALUES (?, ?)');
  let insertMs = 0;
  for (let first = 0; first < count; first += stepSize) {
    const lines = tradesFrom(first).map((each) => JSON.stringify(each));
    const startedAt = performance.now();
    database.exec('BEGIN');
    lines.forEach((json, index) => insert.run(first + index, json));
    database.exec('COMMIT');
    insertMs += performance.now() - startedAt;
  }
  const scan = database.prepare("SELECT count(*) FROM trades WHERE json LIKE '%nothing%'");
  const scanMs = await medianTimeOf(3, () => scan.get());
  database.close();
  return { insertMs, scanMs, bytes: statSync(file).size };
}

async function inserts(client: LedgerClient, file: string, plain: PlainTrades): Promise<Figure[]> {
  const walk = await beginWalk(client, 'download');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let ms = 0;
  for (let first = 0; first < count; first += stepSize) {
    const trades = tradesFrom(first);
    // What the bench itself does is no part of it.
    await setImmediate();
    delay.enable();
    ms += await timeOf(() => client.saveStep(walk.id, trades, first));
    delay.disable();
  }
  const step = tradesFrom(0);
  return [
    {
      ...{ name: `the ledger stores ${count} trades`, unit: 'ms', value: ms },
      ...{ peers: { 'their texts in SQLite': plain.insertMs }, bar: { timesPeer: 12 } },
    },
    {
      ...{ name: 'longest block of the window meanwhile', unit: 'ms', value: delay.max / 1e6 },
      peers: { 'structuredClone of a step': await timeOf(() => structuredClone(step)) },
      bar: { timesPeer: 8 },
    },
    {
      ...{ name: 'its file', unit: 'MB', value: statSync(file).size / 1e6 },
      peers: { 'their texts in SQLite': plain.bytes / 1e6 },
      bar: { timesPeer: 2 },
    },
  ];
}

export function beginWalk(client: LedgerClient, purpose: 'download' | 'current') {
  return client.beginWalk({ history: 'trades', from: 0, to: 4e12, asOf: 4e12, purpose });
}

export function tradesFrom(first: number): Trade[] {
  return Array.from({ length: stepSize }, (_none, index) => trade(first + index));
}

const sorted = (field: string, isDescending: boolean): LedgerQuery => ({
  ...everything,
  sort: { field, isDescending },
});
const indexed = [everything, sorted('tradeId', true), sorted('orderId', false)];
const anyOrder = ['amount', 'price', 'fee', 'rpnl', 'symbol', 'side', 'maker', 'type'].flatMap(
  (field) => [
    sorted(field, true),
    { ...sorted(field, false), filters: { side: ['SELL'], symbol: [symbols[0], symbols[3]] } },
  ],
);
const searches = ['btc', 'sell', '8912345', '899', '4', 'limit'];

/** All beside one scan of the texts by SQLite. */
async function reads(client: LedgerClient, { scanMs }: PlainTrades): Promise<Figure[]> {
  const searched = searches.map(
    (search) => () => client.rows({ ...everything, search }, 0, pageSize),
  );
  const figure = (name: string, value: number, timesPeer: number): Figure => ({
    ...{ name, unit: 'ms', value, peers: { 'a scan by SQLite': scanMs }, bar: { timesPeer } },
  });
  return [
    figure('a page in an indexed order, p90', await p90(pagesOf(client, indexed)), 2),
    figure('a page in any order with any filter, p90', await p90(anyPages(client)), 16),
    figure('the same while rows are written', await whileWriting(client), 20),
    figure('a search, p90', await p90(searched), 4),
    figure('fees by day and symbol', await analysisMs(client, 'fees', 'symbol'), 30),
    figure('the numbers', await analysisMs(client, 'numbers', 'asset'), 60),
  ];
}

/** The positions of all trades, then of these and one more. */
async function positionFigures(client: LedgerClient, { scanMs }: PlainTrades): Promise<Figure[]> {
  for (const { id } of await client.unfinishedWalks())
    await client.endWalk(id, { completeness: 'complete', reason: null });
  const { time } = trade(0);
  const allMs = await analysisMs(client, 'positions', 'asset', Number(time) + 1);
  const newer = { ...trade(0), tradeId: '99000000', time: String(Number(time) + 2) };
  await client.storeRows('trades', [newer], Number(time));
  const newerMs = await analysisMs(client, 'positions', 'asset', Number(time) + 3);
  return [
    {
      ...{ name: `the positions of ${count} trades`, unit: 'ms', value: allMs },
      ...{ peers: { 'a scan by SQLite': scanMs }, bar: { timesPeer: 60 } },
    },
    {
      ...{ name: 'the same once one more is stored', unit: 'ms', value: newerMs },
      ...{ peers: { 'all of them': allMs }, bar: { timesPeer: 0.4 } },
    },
  ];
}

function anyPages(client: LedgerClient): (() => Promise<unknown>)[] {
  return pagesOf(client, [...indexed, ...anyOrder]);
}

/** Pages at the begin, in the middle and near the end of each order. */
function pagesOf(
  client: LedgerClient,
  queries: readonly LedgerQuery[],
): (() => Promise<unknown>)[] {
  return queries.flatMap((query) =>
    [0, 0.1, 0.5, 0.97].map(
      (part) => () => client.rows(query, Math.floor(part * foundBy(query)), pageSize),
    ),
  );
}

/** About how many rows a query finds: a third are sales, and two of five symbols are asked for. */
function foundBy({ filters }: LedgerQuery): number {
  return filters.side ? 0.13 * count : count;
}

/** A thread of its own reads the whole file for each. */
function analysisMs(
  client: LedgerClient,
  view: 'fees' | 'numbers' | 'positions',
  splitBy: 'asset' | 'symbol',
  now = 1_763_632_800_000,
): Promise<number> {
  const period = { period: always, zone: 'Europe/Berlin', now } as const;
  return timeOf(() =>
    client.analyse({ ...period, groupBy: 'day', account: 'FUTURE', view, splitBy }),
  );
}

async function whileWriting(client: LedgerClient): Promise<number> {
  const walk = await beginWalk(client, 'current');
  const stop = new AbortController();
  const writing = (async () => {
    // Pages of 500 rows, as an exchange has them.
    for (let first = count; !stop.signal.aborted; first += 500)
      await client.saveStep(walk.id, tradesFrom(first).slice(0, 500), first);
  })();
  const value = await p90(anyPages(client));
  stop.abort();
  await writing;
  return value;
}

async function p90(runs: readonly (() => Promise<unknown>)[]): Promise<number> {
  const times: number[] = [];
  for (const run of runs) times.push(await timeOf(run));
  return percentile(times, 0.9);
}

const token = { isCancellationRequested: false };

/** The ids of the ledger in a text, beside the texts that could be ids. */
async function idFigures(client: LedgerClient): Promise<Figure[]> {
  const log = Array.from({ length: 7000 }, (_none, line) => logLine(line));
  const lines = log.slice(0, 300).map((line) => async () => {
    const found = await storedIds(idsInText(line), client, token);
    await Promise.all(found.map((each) => recordsOf(each, client)));
  });
  const text = log.join('\n');
  const scan = { 'a pattern alone': await timeOf(() => idsInText(text)) };
  const value = await timeOf(() => storedIds(idsInText(text), client, token));
  const name = `ids of the ledger in a log of ${(text.length / 1e6).toFixed(1)} MB`;
  return [
    { name, unit: 'ms', value, peers: scan, bar: { timesPeer: 10 } },
    {
      name: 'links of a line, p90',
      unit: 'ms',
      value: await p90(lines),
      peers: scan,
      bar: { timesPeer: 3 },
    },
  ];
}

/** Half of the lines have ids of the ledger. */
function logLine(line: number): string {
  const at = `2026-11-20T10:00:00.${String(line % 1000).padStart(3, '0')}Z`;
  if (line % 2 === 1) return `${at} INFO tick 96123.45 seq=${8_123_456_789_012 + line} ok`;
  const { orderId, tradeId } = trade((line * 7919) % count);
  return `${at} INFO fill order ${orderId} trade ${tradeId} of 0.25 at 96123.45, client 7f0c9b1e-2f3a`;
}

/** Beside SQLite's own sum of the same numbers, in a column of floats beside all others. */
function exactSums(file: string, floats: string): Figure[] {
  const database = new DatabaseSync(floats);
  database.prepare('ATTACH ? AS ledger').run(file);
  database.exec(`CREATE TABLE floats AS SELECT *, fee + feeNano * 1e-9 + feeAtto * 1e-18 AS feeReal
    FROM ledger.trades`);
  const sum = (columns: string, table: string): number => {
    const statement = database.prepare(
      `SELECT time / 86400000, symbol, ${columns} FROM ${table} GROUP BY 1, 2`,
    );
    statement.setReadBigInts(true);
    const runs = Array.from({ length: 3 }, () => {
      const startedAt = performance.now();
      statement.all();
      return performance.now() - startedAt;
    });
    return Math.min(...runs);
  };
  const value = sum(sumColumns('fee'), 'ledger.trades');
  const peers = { 'a float sum by SQLite': sum('sum(feeReal)', 'floats') };
  database.close();
  const name = 'exact sum of a column by day and symbol';
  return [{ name, unit: 'ms', value, peers, bar: { timesPeer: 3 } }];
}
