import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { ExportFileError } from '../../src/account/export/exportFileError.ts';
import type { Progress } from '../../src/account/export/progress.ts';
import { formatNames } from '../../src/account/export/rowWriter.ts';
import { defaultDialect } from '../../src/exchange/dialect/dialect.ts';
import { ExchangeError } from '../../src/exchange/errors.ts';
import { parseJson } from '../../src/exchange/json.ts';
import type { DialectSettings } from '../../src/exchange/dialect/dialect.ts';
import type { HistoryRequest } from '../../src/exchange/walk/clientHistory.ts';
import { runToEnd } from '../support/childProcess.ts';
import { exportCost } from '../support/exportCost.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { ExportDesk, metaOf, type Wish } from '../support/exportDesk.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { parseCsv } from '../support/parseCsv.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/project.ts';

const trades: HistoryRequest = { operation: 'trades', filters: {} };
const day = 24 * 3_600_000;

describe('an export', () => {
  const exchange = exchangesOfEachTest();
  let scratch: TemporaryFolder;
  let desk: ExportDesk;

  beforeEach(async () => {
    scratch = await temporaryFolder();
    desk = new ExportDesk(scratch.path);
  });
  afterEach(() => scratch.remove());

  const kept = () => path.join(desk.folder, 'kept');

  /** None stands on a whole second, as few do: one at the end of a period may be answered as well. */
  const thousand = rowsOf('trades', 1000, { newestAt: 1_700_000_000_123 });
  /** An exchange with 1,000 trades that gives 50 a page. */
  const busy = () => exchange({ rows: { trades: thousand }, reading: { maxPageSize: 50 } });

  /** Exports until so many steps are saved, then cancels. */
  async function exportSteps(url: string, steps: number, wish: Wish = {}): Promise<void> {
    const stop = new AbortController();
    let seen = 0;
    const onProgress = (): void => {
      if ((seen += 1) === steps) stop.abort();
    };
    const running = desk.export(clientFor({ url }), trades, {
      ...wish,
      signal: stop.signal,
      onProgress,
    });
    await assert.rejects(running, { name: 'AbortError' });
  }

  for (const format of ['csv', 'json', 'jsonl'] as const) {
    it(`holds every row once as ${format}, and its meta file says so`, async () => {
      const { url } = await busy();
      const file = await desk.export(clientFor({ url }), trades, { format });
      const text = await readFile(file, 'utf8');
      const ids = [...text.matchAll(format === 'csv' ? /^(\d+),7,/gm : /"tradeId":(\d+)/g)];
      assert.equal(new Set(ids.map(([, id]) => id)).size, 1000);
      assert.equal(ids.length, 1000);
      const { sha256, endedAt, startedAt, reads, ...meta } = await metaOf(file);
      assert.equal(sha256, createHash('sha256').update(text).digest('hex'));
      assert.deepEqual([startedAt, endedAt], Array(2).fill('2026-11-20T00:00:00.000Z'));
      assert.ok(Number(reads) >= 20);
      assert.deepEqual(meta, {
        file: `trades.${format}`,
        format,
        rows: 1000,
        completeness: 'complete',
        reason: null,
        profile: 'Main',
        environment: 'LIVE',
        origin: 'https://exchange.example',
        operation: 'trades',
        filters: {},
        range: { from: null, toExclusive: '2026-11-19T23:59:55.000Z' },
        zone: 'UTC',
        badRecords: { atMost: 0, listed: [] },
        unmatched: {},
        writtenBy: 'Margin Desk 0.0.0',
      });
      assert.deepEqual(await desk.kept(), []);
    });
  }

  const others: readonly HistoryRequest[] = [
    { operation: 'orders', filters: {} },
    { operation: 'lots', filters: {} },
    { operation: 'transactions', filters: { accountType: 'SPOT' } },
  ];
  for (const request of others) {
    it(`reads the history of ${request.operation} by its own ids and times`, async () => {
      const { url } = await exchange({
        rows: { [request.operation]: 120 },
        reading: { maxPageSize: 50 },
      });
      const file = await desk.export(clientFor({ url }), request);
      const { rows, completeness } = await metaOf(file);
      assert.deepEqual([rows, completeness], [120, 'complete']);
      assert.equal(parseCsv(await readFile(file, 'utf8')).length, 121);
    });
  }

  it('asks for what the filters say, and for nothing past the frozen end', async () => {
    const { url, requests } = await exchange({ rows: { orders: 30 } });
    const filters = { symbol: 'btc_usdt', side: 'BUY', statuses: ['EXECUTED', 'CANCELED'] };
    const period = { from: 1_699_999_990_000, to: Date.UTC(2030, 0, 1) };
    const file = await desk.export(
      clientFor({ url }),
      { operation: 'orders', filters },
      { period, format: 'jsonl' },
    );
    const pages = requests.filter(({ query }) => query.has('page'));
    // The second begins right behind the eleven rows, whatever the exchange cuts a page at.
    const sizes = pages.map(({ query }) => query.get('size'));
    assert.deepEqual(sizes, ['500', '11', '500']);
    for (const { query } of pages) {
      assert.deepEqual([query.get('symbol'), query.get('side')], ['btc_usdt', 'BUY']);
      assert.deepEqual(query.getAll('statuses'), ['EXECUTED', 'CANCELED']);
      assert.ok(Number(query.get('dateTo')) <= desk.clock.now() - 5000);
    }
    const { rows, range, filters: told } = await metaOf(file);
    assert.equal(rows, 11);
    assert.deepEqual(told, { side: 'BUY', statuses: ['EXECUTED', 'CANCELED'], symbol: 'btc_usdt' });
    assert.deepEqual(range, {
      from: '2023-11-14T22:13:10.000Z',
      toExclusive: '2026-11-19T23:59:55.000Z',
    });
  });

  it('says that it may not be whole where it is open how it was asked', async () => {
    const statuses = ['EXECUTED', 'CANCELED'];
    const { url } = await exchange({
      rows: { orders: 30, lots: 30 },
      reading: { dates: ['epochMs', 'isoLocal'], timezone: 'UTC' },
      answers: {
        exchangeInfo:
          '{"rateLimits":[],"timezone":"Mars/Olympus","serverTime":1795217400005,"symbols":[]}',
      },
    });
    const told = async (dialect: Partial<DialectSettings>, request: HistoryRequest) => {
      const { completeness, reason } = await metaOf(
        await desk.export(clientFor({ url }, { dialect }), request),
      );
      return [completeness, reason];
    };
    assert.deepEqual(
      await told({ lists: 'auto' }, { operation: 'orders', filters: { statuses } }),
      [...['unknown', 'listsUndecided']],
    );
    const lots: HistoryRequest = { operation: 'lots', filters: {} };
    assert.deepEqual(await told({ dates: 'isoLocal' }, lots), ['unknown', 'zoneUnknown']);
    assert.deepEqual(await told({ dates: 'auto' }, lots), ['complete', null]);
  });

  it('of no rows is a whole file, also where the period lies in the future', async () => {
    const { url } = await exchange();
    const future = { from: Date.UTC(2027, 0, 1), to: Date.UTC(2028, 0, 1) };
    for (const period of [{}, future]) {
      const wish = { period, format: 'json' } as const;
      const file = await desk.export(clientFor({ url }), trades, wish);
      assert.deepEqual(parseJson(await readFile(file, 'utf8')), []);
      assert.deepEqual((({ rows, completeness }) => ({ rows, completeness }))(await metaOf(file)), {
        rows: 0,
        completeness: 'complete',
      });
    }
  });

  it('names the records that could not be read, and how many', async () => {
    const fields = (index: number) => (index % 10 === 3 ? { amount: '"much"' } : {});
    const rows = rowsOf('trades', 100, { fields });
    const { url } = await exchange({ rows: { trades: rows } });
    const file = await desk.export(clientFor({ url }), trades);
    const { badRecords, rows: count, completeness, reason } = await metaOf(file);
    assert.deepEqual([count, completeness, reason], [90, 'unknown', 'unreadableRecords']);
    // The walk reads everything twice, and what has no readable id counts each time.
    assert.equal(badRecords.atMost, 20);
    assert.deepEqual(badRecords.listed[0], {
      path: '$.content[3]',
      problem: '$.content[3].amount should be a number and is "much"',
      between: ['2023-11-14T22:11:41.000Z', '2023-11-14T22:13:20.000Z'],
    });
  });

  it('is not complete where the exchange counts a row that it never gives', async () => {
    const rows = rowsOf('trades', 120, { firstId: 1n, newestAt: 1_700_000_000_123 });
    const { url } = await exchange({
      rows: { trades: rows },
      reading: { maxPageSize: 50, withholds: [60n] },
    });
    const end = await metaOf(await desk.export(clientFor({ url }), trades));
    assert.deepEqual([end.rows, end.completeness, end.reason], [119, 'drifted', null]);
  });

  it('names a record whose time is none, for no period can hold it', async () => {
    const fields = (index: number) => (index === 3 ? { time: '17' } : {});
    const { url } = await exchange({ rows: { trades: rowsOf('trades', 10, { fields }) } });
    const { rows, badRecords } = await metaOf(await desk.export(clientFor({ url }), trades));
    assert.equal(rows, 9);
    const problem = 'the time of a record is no timestamp';
    const { between, ...told } = badRecords.listed[0] ?? assert.fail();
    assert.deepEqual([told, between?.length], [{ path: '$.content', problem }, 2]);
  });

  for (const ignored of ['side', 'symbol', 'statuses'] as const) {
    it(`is not complete where the exchange ignores ${ignored}, and says how many rows do not match`, async () => {
      const side = (index: number): string => (index % 4 === 0 ? '"BUY"' : '"SELL"');
      const fields = (index: number) => ({ side: side(index), status: '"OPEN"' });
      const { url } = await exchange({
        rows: { orders: rowsOf('orders', 120, { fields }) },
        reading: { maxPageSize: 50, ignores: [ignored] },
      });
      const filters = {
        side: { side: 'BUY' },
        symbol: { symbol: 'eth_usdt' },
        statuses: { statuses: ['CANCELED'] },
      }[ignored];
      const file = await desk.export(clientFor({ url }), { operation: 'orders', filters });
      const { rows, completeness, reason, unmatched } = await metaOf(file);
      assert.deepEqual([rows, completeness, reason], [120, 'unknown', 'filterIgnored']);
      assert.deepEqual(unmatched, { [ignored]: ignored === 'side' ? 90 : 120 });
    });
  }

  for (const format of ['csv', 'json', 'jsonl'] as const) {
    it(`as ${format} goes on where it was cancelled, and ends as if it had not been`, async () => {
      const server = await busy();
      const { url } = server;
      const whole = await desk.export(clientFor({ url }), trades, { format, name: 'whole' });
      const reads = server.seen('trades').length;
      await exportSteps(url, 8, { format });
      const resumed = await desk.export(clientFor({ url }), trades, { format });
      assert.equal(await readFile(resumed, 'utf8'), await readFile(whole, 'utf8'));
      assert.ok(server.seen('trades').length <= 2 * reads + 1, 'nothing was read twice');
      assert.deepEqual(await desk.kept(), []);
    });
  }

  it('keeps what it has when the exchange fails, and goes on from there', async () => {
    const fault = { kind: 'status', status: 400 } as const;
    const faults = [{ on: 'trades', from: 10, times: 1, fault }] as const;
    const server = await exchange({
      rows: { trades: thousand },
      reading: { maxPageSize: 50 },
      faults,
    });
    const { url } = server;
    await assert.rejects(desk.export(clientFor({ url }), trades), ExchangeError);
    assert.equal(existsSync(path.join(desk.folder, 'trades.csv')), false);
    const kept = await desk.partials.find(desk.plan(trades));
    assert.ok(kept.kind === 'kept' && kept.progress.rows >= 400);
    const before = server.seen('trades').length;
    const file = await desk.export(clientFor({ url }), trades);
    assert.equal((await metaOf(file)).rows, 1000);
    assert.ok(server.seen('trades').length - before <= 14);
  });

  it('cuts off what was written after it was saved last', async () => {
    const { url } = await busy();
    await exportSteps(url, 5);
    const kept = await desk.partials.find(desk.plan(trades));
    assert.ok(kept.kind === 'kept');
    await appendFile(kept.paths.rows, '999,half a ro');
    const resumed = await desk.export(clientFor({ url }), trades);
    const whole = await desk.export(clientFor({ url }), trades, { name: 'whole' });
    assert.equal(await readFile(resumed, 'utf8'), await readFile(whole, 'utf8'));
  });

  it('goes on without a lost or doubled row after its process was killed between rows and state', async () => {
    const { url } = await busy();
    const script = path.join(import.meta.dirname, '../support/exportKilled.ts');
    const { signal } = await runToEnd(process.execPath, [script, url, desk.folder]);
    assert.equal(signal, 'SIGKILL');
    const found = await desk.partials.find(desk.plan(trades));
    assert.ok(found.kind === 'kept' && found.progress.rows > 0);
    const { size } = await stat(found.paths.rows);
    assert.ok(size > found.progress.bytes, 'rows were written that no state counts');
    const resumed = await desk.export(clientFor({ url }), trades);
    const whole = await desk.export(clientFor({ url }), trades, { name: 'whole' });
    assert.equal(await readFile(resumed, 'utf8'), await readFile(whole, 'utf8'));
    assert.deepEqual(await desk.kept(), []);
  });

  it('saves how far it is every two seconds, and when it is put down', async () => {
    const { url } = await busy();
    const stop = new AbortController();
    const saved: string[] = [];
    let steps = 0;
    const onProgress = ({ rows }: Progress): void => {
      const [held = ''] = readdirSync(kept()).filter((file) => file.endsWith('.held'));
      const state = readFileSync(path.join(kept(), held), 'utf8');
      // What was read, and what the disk knows of it.
      saved.push(`${rows} ${(JSON.parse(state) as { saved: Progress }).saved.rows}`);
      void desk.clock.advance(1000);
      if ((steps += 1) === 6) stop.abort();
    };
    const running = desk.export(clientFor({ url }), trades, { signal: stop.signal, onProgress });
    await assert.rejects(running, { name: 'AbortError' });
    assert.deepEqual(saved, ['50 0', '99 0', '148 148', '197 148', '246 246', '295 246']);
    const found = await desk.partials.find(desk.plan(trades));
    assert.ok(found.kind === 'kept');
    assert.equal(found.progress.rows, 295);
  });

  it('keeps its end while it stands, and the age of what is kept', async () => {
    const { url } = await busy();
    await exportSteps(url, 5);
    const { range } = desk.plan(trades);
    await desk.clock.advance(day - 1);
    const kept = await desk.partials.find(desk.plan(trades));
    assert.ok(kept.kind === 'kept');
    assert.deepEqual(kept.progress.range, range);
    await desk.clock.advance(2);
    assert.equal((await desk.partials.find(desk.plan(trades))).kind, 'none');
  });

  it('is another export for other filters, another period, form or account', async () => {
    const { key } = desk.plan(trades);
    const asked = { operation: 'orders', filters: { statuses: ['EXECUTED', 'CANCELED'] } } as const;
    const others = [
      desk.plan({ operation: 'trades', filters: { side: 'BUY' } }),
      desk.plan({ operation: 'lots', filters: {} }),
      desk.plan(trades, { period: { from: 1 } }),
      desk.plan(trades, { format: 'json' }),
      desk.plan(trades, { dialect: { ...defaultDialect, dates: 'isoDate' } }),
      desk.plan(trades, { fingerprint: '9c2e' }),
      desk.plan(trades, { profile: { baseUrl: 'https://exchange.example/other' } }),
      desk.plan(trades, { profile: { auth: { scheme: 'bearer' } } }),
      desk.plan(asked),
      desk.plan(asked, { dialect: { ...defaultDialect, lists: 'comma' } }),
    ];
    assert.equal(new Set([key, ...others.map((plan) => plan.key)]).size, 11);
    await desk.clock.advance(1000);
    assert.equal(desk.plan({ operation: 'trades', filters: { side: undefined } }).key, key);
    const lists = { dialect: { ...defaultDialect, lists: 'comma' } } as const;
    assert.equal(desk.plan(trades, lists).key, key, 'nothing asks with a list');
  });

  for (const [what, damage] of [
    ['state is no JSON', ({ free }: Paths) => writeFile(free, '{"v":1,')],
    ['state has another cursor', ({ free }: Paths) => spoil(free, /"windows"/, '"doors"')],
    ['rows are shorter than they were', ({ rows }: Paths) => truncate(rows, 10)],
    ['rows are gone', ({ rows }: Paths) => rm(rows)],
  ] as const) {
    it(`is known to be damaged where its ${what}`, async () => {
      const { url } = await busy();
      await exportSteps(url, 5);
      const kept = await desk.partials.find(desk.plan(trades));
      assert.ok(kept.kind === 'kept');
      await damage(kept.paths);
      const found = await desk.partials.find(desk.plan(trades));
      assert.ok(found.kind === 'damaged');
      await desk.partials.discard(found);
      assert.deepEqual(await desk.kept(), []);
    });
  }

  it('goes in slices where the exchange refuses a long period, also when it just learned so', async () => {
    const rows = rowsOf('trades', 300, { spacingMs: day / 4 });
    const { url } = await exchange({ rows: { trades: rows }, reading: { maxRangeDays: 7 } });
    const period = { from: 1_700_000_000_000 - 75 * day, to: 1_700_000_000_001 };
    const client = clientFor({ url }, { dialect: { maxRangeDays: 'auto' } });
    const meta = await metaOf(await desk.export(client, trades, { period }));
    assert.deepEqual([meta.rows, meta.completeness], [300, 'complete']);
  });

  it('asks which days the exchange means before it walks by them', async () => {
    const rows = rowsOf('trades', 120, { spacingMs: day / 24 });
    const dateTo = 'inclusive';
    const reading = {
      dates: ['isoDate'],
      timezone: 'Asia/Tokyo',
      dateTo,
      maxPageSize: 30,
    } as const;
    const { url } = await exchange({ rows: { trades: rows }, reading });
    const client = clientFor({ url }, { dialect: { dates: 'isoDate', dateTo } });
    const meta = await metaOf(await desk.export(client, trades));
    assert.deepEqual([meta.rows, meta.completeness], [120, 'complete']);
    assert.ok(Number(meta.reads) <= 10, `${String(meta.reads)} reads`);
  });

  it('is left alone while another process works on it, however long that is silent', async () => {
    const { url } = await busy();
    await exportSteps(url, 5);
    const kept = await desk.partials.find(desk.plan(trades));
    assert.ok(kept.kind === 'kept');
    const { free } = kept.paths;
    const held = free.replace(/json$/, `${process.ppid}.held`);
    await rename(free, held);
    await desk.clock.advance(day - 1);
    assert.equal((await desk.partials.find(desk.plan(trades))).kind, 'none');
    await desk.clock.advance(day);
    assert.equal(await desk.partials.sweep(), 0);
    assert.equal((await desk.kept()).length, 2);
  });

  it('is not held for ever by a stranger that got the id of the process', async () => {
    const { url } = await busy();
    await exportSteps(url, 5);
    const kept = await desk.partials.find(desk.plan(trades));
    assert.ok(kept.kind === 'kept');
    const { free } = kept.paths;
    await rename(free, free.replace(/json$/, `${process.ppid}.held`));
    // Files have the times of this machine's clock.
    await desk.clock.advance(Date.now() - desk.clock.now());
    await desk.clock.advance(6 * day);
    assert.equal(await desk.partials.sweep(), 0);
    await desk.clock.advance(2 * day);
    assert.equal(await desk.partials.sweep(), 1);
    assert.deepEqual(await desk.kept(), []);
  });

  it('goes on in one window only, where two found it', async () => {
    const { url } = await busy();
    await exportSteps(url, 5);
    const found = await desk.partials.find(desk.plan(trades));
    assert.ok(found.kind === 'kept');
    const [one, other] = await Promise.all([
      desk.partials.resume(found),
      desk.partials.resume(found),
    ]);
    const taken = one ?? other ?? assert.fail('nobody has it');
    assert.ok(!one || !other);
    await desk.partials.discard(found);
    assert.equal((await desk.kept()).length, 2, 'what another window took is not removed');
    const rows = await taken.append('x');
    await taken.save({ ...taken.progress, bytes: taken.progress.bytes + rows });
    await taken.putDown();
    const again = await desk.partials.resume(found);
    assert.equal(
      again?.progress.bytes,
      found.progress.bytes + 1,
      'from where it is, not where it was',
    );
    await again.putDown();
  });

  it('is not placed where another program wrote into its rows', async () => {
    const { url } = await busy();
    const onProgress = ({ rows }: Progress): void => {
      const [name = ''] = readdirSync(kept()).filter((file) => file.endsWith('.rows'));
      if (rows === 1000) appendFileSync(path.join(kept(), name), 'x');
    };
    const running = desk.export(clientFor({ url }), trades, { onProgress });
    await assert.rejects(running, { name: 'ExportFileError', problem: 'changed' });
    const file = await desk.export(clientFor({ url }), trades);
    assert.equal(parseCsv(await readFile(file, 'utf8')).length, 1001);
  });

  it('is forgotten where its process ended after its file was placed', async () => {
    const { url } = await busy();
    await assert.rejects(desk.export(clientFor({ url }), trades, { name: 'gone/trades.csv' }));
    const kept = await desk.partials.find(desk.plan(trades));
    assert.ok(kept.kind === 'kept');
    await rm(kept.paths.rows);
    assert.equal((await desk.partials.find(desk.plan(trades))).kind, 'none');
  });

  it('goes with its profile, also while it runs', async () => {
    const { url } = await busy();
    await exportSteps(url, 5);
    const stop = new AbortController();
    let removing: Promise<void> | undefined;
    const onProgress = (): void => {
      removing ??= desk.partials.removeOf('Main');
    };
    const wish = { format: 'json', signal: stop.signal, onProgress } as const;
    const running = desk.export(clientFor({ url }), trades, wish);
    await assert.rejects(running, { name: 'ExportFileError', problem: 'missing' });
    await removing;
    assert.deepEqual(await desk.kept(), []);
    await exportSteps(url, 5);
    await desk.partials.removeOf('Other');
    assert.equal((await desk.kept()).length, 2);
  });

  it('is removed 24 hours after it was touched last', async () => {
    const { url } = await busy();
    await exportSteps(url, 5);
    await touchAll(desk);
    await desk.clock.advance(day);
    assert.equal(await desk.partials.sweep(), 0);
    await desk.clock.advance(1000);
    assert.equal(await desk.partials.sweep(), 1);
    assert.deepEqual(await desk.kept(), []);
  });

  it('loses nothing when its folder is gone at the end, and then reads nothing again', async () => {
    const server = await busy();
    const { url } = server;
    const wish = { name: 'gone/trades.csv' };
    await assert.rejects(
      desk.export(clientFor({ url }), trades, wish),
      (error) =>
        error instanceof ExportFileError && error.place === 'target' && error.problem === 'missing',
    );
    const reads = server.seen('trades').length;
    await mkdir(path.join(desk.folder, 'gone'));
    const file = await desk.export(clientFor({ url }), trades, wish);
    assert.equal(parseCsv(await readFile(file, 'utf8')).length, 1001);
    assert.equal(server.seen('trades').length, reads);
    assert.deepEqual(await readdir(path.dirname(file)), ['trades.csv', 'trades.csv.meta.json']);
  });

  it('leaves a file that it is to replace as it was until it has every row', async () => {
    const { url } = await busy();
    const target = path.join(desk.folder, 'trades.csv');
    await writeFile(target, 'of yesterday');
    await exportSteps(url, 5);
    assert.equal(await readFile(target, 'utf8'), 'of yesterday');
    await desk.export(clientFor({ url }), trades);
    assert.match(await readFile(target, 'utf8'), /^tradeId,/);
  });

  it('leaves a file and its meta file as they were where it cannot take their place', async () => {
    const { url } = await busy();
    const target = path.join(desk.folder, 'trades.csv');
    await mkdir(path.join(target, 'below'), { recursive: true });
    await writeFile(`${target}.meta.json`, 'of yesterday');
    await assert.rejects(desk.export(clientFor({ url }), trades), ExportFileError);
    assert.equal(await readFile(`${target}.meta.json`, 'utf8'), 'of yesterday');
    const names = (await readdir(desk.folder)).toSorted();
    assert.deepEqual(names, ['kept', 'trades.csv', 'trades.csv.meta.json']);
  });

  it('can be read by its owner only, while it runs and when it is done', async () => {
    const { url } = await busy();
    await exportSteps(url, 5);
    const modes = async (files: readonly string[]) =>
      new Set(await Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777)));
    const kept = (await desk.kept()).map((name) => path.join(desk.folder, 'kept', name));
    assert.deepEqual(await modes(kept), new Set([0o600]));
    const file = await desk.export(clientFor({ url }), trades);
    assert.deepEqual(await modes([file, `${file}.meta.json`]), new Set([0o600]));
  });

  for (const format of formatNames)
    it(`as ${format} takes no memory that grows with its rows`, async () => {
      const { rows, growthBytes } = await exportCost(100_000, format);
      assert.equal(rows, 100_000);
      // Were the rows kept, they alone would take more.
      assert.ok(growthBytes < 80e6, `${growthBytes} bytes`);
    }).timeout(60_000);

  // Another disk than that of temporary files, where there is one.
  if (existsSync('/dev/shm')) {
    it('crosses from one disk to another', async () => {
      const { url } = await busy();
      const shared = await mkdtemp('/dev/shm/margin-desk-');
      try {
        const name = path.relative(desk.folder, path.join(shared, 'trades.csv'));
        const file = await desk.export(clientFor({ url }), trades, { name });
        assert.equal(parseCsv(await readFile(file, 'utf8')).length, 1001);
        assert.deepEqual(await readdir(shared), ['trades.csv', 'trades.csv.meta.json']);
        assert.deepEqual(await desk.kept(), []);
      } finally {
        await rm(shared, { recursive: true });
      }
    });
  }
});

type Paths = { readonly rows: string; readonly free: string };

async function spoil(file: string, what: RegExp, by: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(what, by));
}

/** Gives all kept files the time of the desk's clock. */
async function touchAll(desk: ExportDesk): Promise<void> {
  const now = new Date(desk.clock.now());
  for (const name of await desk.kept())
    await utimes(path.join(desk.folder, 'kept', name), now, now);
}
