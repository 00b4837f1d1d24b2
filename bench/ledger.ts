import { statSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { always } from '../src/base/interval.ts';
import type { Trade } from '../src/exchange/records.ts';
import type { LedgerClient } from '../src/ledger/ledgerClient.ts';
import { Ledgers } from '../src/ledger/ledgers.ts';
import type { LedgerQuery } from '../src/ledger/ledger.ts';
import { sumColumns } from '../src/ledger/storage/sums.ts';
import { projectRoot, temporaryFolder } from '../test/support/project.ts';
import { percentile, type Bar, type Figure } from './figures.ts';

const count = 1_000_000;
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

/** A time of this machine: only ten times its bar fails the bench. */
const within = (value: number): Bar => ({ is: 'at most', value, fails: { beyond: 10 * value } });

/** What a ledger of a million trades takes to write, to read in any order, to search and to sum. */
export async function ledgerFigures(): Promise<Figure[]> {
  const folder = await temporaryFolder();
  const workerFile = path.join(projectRoot, 'dist/ledgerWorker.cjs');
  const ledgers = new Ledgers({ folder: folder.path, workerFile });
  const id = ledgers.create();
  const client = ledgers.open(id);
  const file = path.join(folder.path, `${id}.sqlite`);
  try {
    return [
      ...plainInserts(path.join(folder.path, 'plain.sqlite')),
      ...(await inserts(client, file)),
      ...(await reads(client)),
      ...(await analyses(client)),
      ...(await readsWhileWriting(client)),
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
    rpnl: number % 5 === 0 ? `-1.${number % 10_007}` : '0',
    feeAsset: number % 7 === 0 ? 'bnb' : 'usdt',
    type: 'LIMIT',
    time: String(1_763_632_800_000 - number * 700),
    extra: {},
  };
}

/** The baseline: SQLite alone, with the text of each trade and nothing else. */
function plainInserts(file: string): Figure[] {
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE trades (row INTEGER PRIMARY KEY, json TEXT)');
  const insert = database.prepare('INSERT INTO trades VALUES (?, ?)');
  let ms = 0;
  for (let first = 0; first < count; first += stepSize) {
    const lines = tradesFrom(first).map((each) => JSON.stringify(each));
    const startedAt = performance.now();
    database.exec('BEGIN');
    lines.forEach((json, index) => insert.run(first + index, json));
    database.exec('COMMIT');
    ms += performance.now() - startedAt;
  }
  database.close();
  return [{ name: 'SQLite inserts the text of 1,000,000 trades', value: ms, unit: 'ms' }];
}

async function inserts(client: LedgerClient, file: string): Promise<Figure[]> {
  const walk = await client.beginWalk({
    history: 'trades',
    from: 0,
    to: 4e12,
    asOf: 4e12,
    purpose: 'download',
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let ms = 0;
  for (let first = 0; first < count; first += stepSize) {
    const trades = tradesFrom(first);
    // What the bench itself does is no part of it.
    await setImmediate();
    const startedAt = performance.now();
    delay.enable();
    await client.saveStep(walk.id, trades, first);
    delay.disable();
    ms += performance.now() - startedAt;
  }
  return [
    { name: 'the ledger stores 1,000,000 trades', value: ms, unit: 'ms', bar: within(12_000) },
    {
      name: 'longest block of the window meanwhile',
      value: delay.max / 1e6,
      unit: 'ms',
      bar: within(20),
    },
    {
      name: 'file of 1,000,000 trades',
      value: statSync(file).size / 1e6,
      unit: 'MB',
      bar: { is: 'at most', value: 600, fails: true },
    },
  ];
}

function tradesFrom(first: number): Trade[] {
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

async function reads(client: LedgerClient): Promise<Figure[]> {
  const first = await times(indexed.map((query) => () => client.rows(query, 0, pageSize)));
  const anywhere = await times(pagesOf(client, indexed));
  const any = await times(anyPages(client));
  const found = await times(
    searches.map((search) => () => client.rows({ ...everything, search }, 0, pageSize)),
  );
  return [
    { name: 'first page in an indexed order, p99', value: first, unit: 'ms', bar: within(10) },
    {
      name: 'page anywhere in an indexed order, p99',
      value: anywhere,
      unit: 'ms',
      // Beyond 20,000 rows, those before a page are counted: only as much as any page may take fails.
      bar: { is: 'at most', value: 10, fails: { beyond: 2500 } },
    },
    {
      name: 'page anywhere in any order with any filter, p99',
      value: any,
      unit: 'ms',
      bar: within(250),
    },
    { name: 'search, p99', value: found, unit: 'ms', bar: within(250) },
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
  return filters.side ? 130_000 : count;
}

/** A thread of its own reads the whole file for each. */
async function analyses(client: LedgerClient): Promise<Figure[]> {
  const request = {
    period: always,
    zone: 'Europe/Berlin',
    groupBy: 'day',
    account: 'FUTURE',
  } as const;
  const took = async (view: 'realizedPl' | 'fees' | 'numbers', splitBy: 'asset' | 'symbol') => {
    const startedAt = performance.now();
    await client.analyse({ ...request, view, splitBy, now: 1_763_632_800_000 });
    return performance.now() - startedAt;
  };
  const bySymbol = Math.max(await took('realizedPl', 'symbol'), await took('fees', 'symbol'));
  const numbers = await took('numbers', 'asset');
  return [
    {
      name: 'P&L or fees of 1,000,000 trades by day and symbol',
      value: bySymbol,
      unit: 'ms',
      bar: within(3000),
    },
    {
      name: 'numbers of 1,000,000 trades',
      value: numbers,
      unit: 'ms',
      bar: within(8000),
    },
  ];
}

async function readsWhileWriting(client: LedgerClient): Promise<Figure[]> {
  const walk = await client.beginWalk({
    history: 'trades',
    from: 0,
    to: 4e12,
    asOf: 4e12,
    purpose: 'current',
  });
  const stop = new AbortController();
  const writing = (async () => {
    // Pages of 500 rows, as an exchange has them.
    for (let first = count; !stop.signal.aborted; first += 500)
      await client.saveStep(walk.id, tradesFrom(first).slice(0, 500), first);
  })();
  const value = await times(anyPages(client));
  stop.abort();
  await writing;
  return [{ name: 'the same while rows are written', value, unit: 'ms', bar: within(250) }];
}

/** The time of the slowest but one in a hundred, each run three times. */
async function times(runs: readonly (() => Promise<unknown>)[]): Promise<number> {
  const all: number[] = [];
  for (const run of [...runs, ...runs, ...runs]) {
    const startedAt = performance.now();
    await run();
    all.push(performance.now() - startedAt);
  }
  return percentile(all, 0.99);
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
    const runs = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      statement.all();
      return performance.now() - startedAt;
    });
    return Math.min(...runs);
  };
  const floatMs = sum('sum(feeReal)', 'floats');
  const exactMs = sum(sumColumns('fee'), 'ledger.trades');
  database.close();
  return [
    { name: 'float sum by day and symbol of 1,000,000 trades', value: floatMs, unit: 'ms' },
    {
      name: 'exact sum, times the float sum',
      value: exactMs / floatMs,
      unit: '×',
      bar: { is: 'at most', value: 3, fails: { beyond: 30 } },
    },
  ];
}
