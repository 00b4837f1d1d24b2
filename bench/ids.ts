import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { HistoryRecord } from '../src/exchange/history/historyRecords.ts';
import { idsInText, storedIds } from '../src/host/ids/storedIds.ts';
import { recordsOf } from '../src/host/ids/storedRecords.ts';
import type { LedgerClient } from '../src/ledger/ledgerClient.ts';
import { Ledgers } from '../src/ledger/ledgers.ts';
import type { LedgerHistory } from '../src/ledger/ledger.ts';
import { anOrder, aTrade, aTransaction } from '../test/support/builders.ts';
import { projectRoot, temporaryFolder } from '../test/support/project.ts';
import { percentile, type Bar, type Figure } from './figures.ts';

const orders = 250_000;
const stepSize = 5000;
const megabyte = 2 ** 20;
const token = { isCancellationRequested: false };

/** A time of this machine: only ten times its bar fails the bench. */
const within = (value: number): Bar => ({ is: 'at most', value, fails: { beyond: 10 * value } });

/** What it takes to find the ids of a ledger of 1,000,000 rows in texts. */
export async function idFigures(): Promise<Figure[]> {
  const folder = await temporaryFolder();
  const workerFile = path.join(projectRoot, 'dist/ledgerWorker.cjs');
  const ledgers = new Ledgers({ folder: folder.path, workerFile });
  const client = ledgers.open(ledgers.create());
  try {
    await fill(client);
    return [
      await lineFigure(client),
      { ...(await documentFigure(client, 'a log of 1 MB', logLine)), bar: within(50) },
      await documentFigure(client, '1 MB of order ids', (line) => orderId((line * 7919) % orders)),
      await documentFigure(client, '1 MB of UUIDs', (line) => uuid((line * 7919) % (2 * orders))),
    ];
  } finally {
    await client.close();
    await folder.remove();
  }
}

/** 250,000 orders with two trades and a transaction each. */
async function fill(client: LedgerClient): Promise<void> {
  await store(client, 'orders', orders, (number) =>
    anOrder({ orderId: orderId(number), clientOrderId: uuid(number), time: time(number) }),
  );
  await store(client, 'trades', 2 * orders, (number) => {
    const order = Math.floor(number / 2);
    return aTrade({ tradeId: tradeId(number), orderId: orderId(order), time: time(order) });
  });
  await store(client, 'futureTransactions', orders, (number) =>
    aTransaction({
      transactionId: transactionId(number),
      transactionUuid: uuid(orders + number),
      time: time(number),
    }),
  );
}

async function store(
  client: LedgerClient,
  history: LedgerHistory,
  count: number,
  record: (number: number) => HistoryRecord,
): Promise<void> {
  const walk = await client.beginWalk({
    history,
    from: 0,
    to: 4e12,
    asOf: 4e12,
    purpose: 'download',
  });
  for (let first = 0; first < count; first += stepSize)
    await client.saveStep(
      walk.id,
      Array.from({ length: stepSize }, (_none, index) => record(first + index)),
      first,
    );
  await client.endWalk(walk.id, { completeness: 'complete', reason: null });
}

/** As the practice exchange and others make them: an id grows with its time. */
const orderId = (number: number): string =>
  String(1_763_632_800_000_000_000n - BigInt(number) * 977n);
const tradeId = (number: number): string =>
  String(2_763_632_800_000_000_000n - BigInt(number) * 977n);
const transactionId = (number: number): string =>
  String(3_763_632_800_000_000_000n - BigInt(number) * 977n);
const time = (number: number): string => String(1_763_632_800_000 - number * 700);

function uuid(number: number): string {
  const digits = ((BigInt(number) * 0x9e3779b97f4a7c15n) % 2n ** 64n)
    .toString(16)
    .padStart(16, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13)}-8000-${digits.slice(4)}`;
}

/** Half of the lines have ids of the ledger. */
function logLine(line: number): string {
  const at = `2026-11-20T10:00:00.${String(line % 1000).padStart(3, '0')}Z ${time(line)}`;
  if (line % 2 === 1) return `${at} INFO tick 96123.45 seq=${8_123_456_789_012 + line} ok`;
  const number = (line * 7919) % orders;
  return `${at} INFO fill order ${orderId(number)} trade ${tradeId(number)} client ${uuid(number)}`;
}

async function lineFigure(client: LedgerClient): Promise<Figure> {
  const runs = Array.from({ length: 300 }, (_none, line) => async () => {
    const found = await storedIds(idsInText(logLine(line * 7)), client, token);
    await Promise.all(found.map((each) => recordsOf(each, client)));
  });
  const value = percentile(await times(runs), 0.99);
  return { name: 'links of a terminal line, p99', value, unit: 'ms', bar: within(50) };
}

async function documentFigure(
  client: LedgerClient,
  name: string,
  lineOf: (line: number) => string,
): Promise<Figure> {
  const lines: string[] = [];
  for (let length = 0; length < megabyte; length += (lines.at(-1)?.length ?? 0) + 1)
    lines.push(lineOf(lines.length));
  const text = lines.join('\n');
  const run = async (): Promise<void> => {
    await storedIds(idsInText(text), client, token);
  };
  const all = await times([run, run, run, run, run]);
  const value = percentile(all, 0.5);
  return { name: `ids of the ledger in ${name}`, value, unit: 'ms' };
}

async function times(runs: readonly (() => Promise<void>)[]): Promise<number[]> {
  const all: number[] = [];
  for (const run of runs) {
    const startedAt = performance.now();
    await run();
    all.push(performance.now() - startedAt);
  }
  return all;
}
