import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { always } from '../../src/base/interval.ts';
import { exportFormats } from '../../src/account/export/exportFormats.ts';
import { ExportFileError } from '../../src/account/export/exportFileError.ts';
import type { Progress } from '../../src/account/export/progress.ts';
import { ExportLedger } from '../../src/account/export/exportLedgers.ts';
import { parseJson } from '../../src/base/exactJson.ts';
import { presetScheme } from '../../src/exchange/auth/scheme.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import {
  defaultConventions,
  type ConventionSettings,
} from '../../src/exchange/history/apiConventions.ts';
import type { HistorySelection } from '../../src/exchange/history/records.ts';
import { fetchers, type Fetch } from '../../src/exchange/http/fetch.ts';
import { LedgerError } from '../../src/ledger/ledgerError.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exportCost } from '../support/exportCost.ts';
import { TestExporter, metaOf, type TestExportOptions } from '../support/testExporter.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { killExports } from '../support/killedExports.ts';
import { parseCsv } from '../support/parseCsv.ts';
import { folderOfEachTest, temporaryFolder } from '../support/project.ts';

const trades: HistorySelection = { operation: 'trades', filters: {} };
const day = 24 * 3_600_000;

describe('an export', () => {
  const exchange = exchangesOfEachTest();
  const scratch = folderOfEachTest();
  let exporter: TestExporter;

  beforeEach(() => void (exporter = new TestExporter(scratch.path)));

  const kept = () => path.join(exporter.folder, 'kept');

  /** None stands on a whole second, as few do: one at the end of a period may be answered as well. */
  const thousand = rowsOf('trades', 1000, { newestAt: 1_700_000_000_123 });
  /** An exchange with 1,000 trades that gives 50 a page. */
  const busy = () => exchange({ rows: { trades: thousand }, reading: { maxPageSize: 50 } });

  /** Exports until so many steps are saved, then cancels. */
  async function exportPart(
    client: ExchangeClient,
    steps: number,
    options: TestExportOptions = {},
    selection = trades,
  ): Promise<void> {
    const stop = new AbortController();
    let seen = 0;
    const onProgress = (): void => {
      if ((seen += 1) > steps) stop.abort();
    };
    const all = { ...options, signal: stop.signal, onProgress };
    await assert.rejects(exporter.export(client, selection, all), { name: 'AbortError' });
  }

  /** Starts a second export of the same rows during the first, which goes on once the second waits. */
  async function exportTwice(url: string, options: TestExportOptions & { onWait: () => void }) {
    const other = new TestExporter(exporter.folder, exporter.clock);
    const waiting = Promise.withResolvers<undefined>();
    const onWait = (): void => {
      options.onWait();
      waiting.resolve(undefined);
    };
    let second: Promise<string> | undefined;
    const onProgress = (): void => {
      const all = { ...options, name: 'second', format: 'csv', onWait } as const;
      second ??= other.export(clientFor({ url }), trades, all);
      // Its test awaits it; until then, its failure is not unhandled.
      second.catch(() => undefined);
    };
    const fetch: Fetch = async (to, request) => {
      if (second) await waiting.promise;
      return fetchers['node-fetch'](to, request);
    };
    const first = await exporter.export(clientFor({ url }, { fetch }), trades, { onProgress });
    assert.ok(second);
    // In an object: a promise that is returned alone would be awaited here.
    return { first, second: { ended: second } };
  }
  const exportSteps = (url: string, steps: number, options?: TestExportOptions) =>
    exportPart(clientFor({ url }), steps, options);

  /** An export at a busy exchange, cancelled after five steps. */
  async function interrupted() {
    const server = await busy();
    await exportSteps(server.url, 5);
    return server;
  }

  /** The ledger of an export that nobody else has open. */
  function openLedger(server: { readonly url: string }): Promise<ExportLedger> {
    const { signal } = new AbortController();
    const options = { client: clientFor(server), request: trades, signal };
    const onWait = (): void => assert.fail('It is open.');
    return exporter.ledgers.open(exporter.plan(trades), { ...options, onWait });
  }

  for (const format of ['csv', 'json', 'jsonl'] as const) {
    it(`has every row once as ${format}, and its meta file says so`, async () => {
      const { url } = await busy();
      const file = await exporter.export(clientFor({ url }), trades, { format });
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
        source: 'exchange',
        operation: 'trades',
        filters: {},
        range: { from: null, toExclusive: '2026-11-19T23:59:55.000Z' },
        zone: 'UTC',
        badRecords: { atMost: 0, listed: [] },
        unmatched: {},
        unverifiedFilters: [],
        writtenBy: 'Margin Desk 0.0.0',
      });
      assert.deepEqual(await exporter.kept(), []);
    });
  }

  const others: readonly HistorySelection[] = [
    { operation: 'orders', filters: {} },
    { operation: 'lots', filters: {} },
    { operation: 'transactions', filters: { accountType: 'SPOT' } },
  ];
  for (const request of others) {
    it(`reads the history of ${request.operation} by its ids and times`, async () => {
      const { url } = await exchange({
        rows: { [request.operation]: 120 },
        reading: { maxPageSize: 50 },
      });
      const file = await exporter.export(clientFor({ url }), request);
      const { rows, completeness } = await metaOf(file);
      assert.deepEqual([rows, completeness], [120, 'complete']);
      assert.equal(parseCsv(await readFile(file, 'utf8')).length, 121);
    });
  }

  it('requests what the filters say, and nothing after the fixed end', async () => {
    const { url, requests } = await exchange({ rows: { orders: 30 } });
    const filters = { symbol: 'btc_usdt', side: 'BUY', statuses: ['EXECUTED', 'CANCELED'] };
    const period = { from: 1_699_999_990_000, to: Date.UTC(2030, 0, 1) };
    const file = await exporter.export(
      clientFor({ url }),
      { operation: 'orders', filters },
      { period, format: 'jsonl' },
    );
    const pages = requests.filter(({ query }) => query.has('page'));
    // The first shows that the exchange counts the rows of a filter, the third asks for ten of the eleven rows again, the
    // fourth for what follows them, the fifth for them again, and the last two for orders from before the period.
    const asked = pages.map(({ query }) => [query.get('page'), query.get('size')].join(' '));
    assert.deepEqual(asked, ['0 500', '0 500', '0 500', '1 10', '0 11', '0 500', '1 20']);
    for (const { query } of pages) {
      assert.deepEqual([query.get('symbol'), query.get('side')], ['btc_usdt', 'BUY']);
      assert.deepEqual(query.getAll('statuses'), ['EXECUTED', 'CANCELED']);
      assert.ok(Number(query.get('dateTo')) <= exporter.clock.now() - 5000);
    }
    const { rows, range, filters: written } = await metaOf(file);
    assert.equal(rows, 11);
    assert.deepEqual(written, {
      side: 'BUY',
      statuses: ['EXECUTED', 'CANCELED'],
      symbol: 'btc_usdt',
    });
    assert.deepEqual(range, {
      from: '2023-11-14T22:13:10.000Z',
      toExclusive: '2026-11-19T23:59:55.000Z',
    });
  });

  it('is of unknown completeness when a convention of its requests is unproven', async () => {
    const { url } = await exchange({
      rows: { lots: 30 },
      reading: { dates: ['epochMs', 'isoLocal'], timezone: 'UTC' },
      answers: {
        exchangeInfo:
          '{"rateLimits":[],"timezone":"Mars/Olympus","serverTime":1795217400005,"symbols":[]}',
      },
    });
    const completenessOf = async (
      dialect: Partial<ConventionSettings>,
      request: HistorySelection,
    ) => {
      const { completeness, reason } = await metaOf(
        await exporter.export(clientFor({ url }, { dialect }), request),
      );
      return [completeness, reason];
    };
    const lots: HistorySelection = { operation: 'lots', filters: {} };
    assert.deepEqual(await completenessOf({ dates: 'isoLocal' }, lots), ['unknown', 'zoneUnknown']);
    assert.deepEqual(await completenessOf({ dates: 'auto' }, lots), ['complete', null]);
  });

  it('reads without a filter that an exchange may apply after it has cut a page', async () => {
    const symbol = (index: number): string => (index < 54 ? '"btc_usdt"' : '"eth_usdt"');
    const fields = (index: number) => ({ symbol: symbol(index) });
    const mixed = rowsOf('trades', 120, { newestAt: 1_700_000_000_123, fields });
    const selection: HistorySelection = { operation: 'trades', filters: { symbol: 'eth_usdt' } };
    for (const filtersAfterPaging of [true, false])
      for (const sort of ['newestFirst', 'oldestFirst'] as const) {
        const reading = { maxPageSize: 50, totals: 'missing', sort, filtersAfterPaging } as const;
        const server = await exchange({ rows: { trades: mixed }, reading });
        const file = await exporter.export(clientFor(server), selection);
        const { rows, completeness, reason } = await metaOf(file);
        assert.deepEqual([rows, completeness, reason], [66, 'complete', null]);
        await rm(file);
      }
  });

  it('is not complete when the exchange ignores a filter, and names it', async () => {
    const fields = (index: number) => ({ side: index % 4 === 0 ? '"BUY"' : '"SELL"' });
    const rows = { trades: rowsOf('trades', 120, { fields }) };
    const server = await exchange({ rows, reading: { maxPageSize: 50, ignores: ['side'] } });
    const selection: HistorySelection = { operation: 'trades', filters: { side: 'BUY' } };
    const meta = await metaOf(await exporter.export(clientFor(server), selection));
    assert.deepEqual(
      [meta.rows, meta.completeness, meta.reason, meta.unmatched],
      [120, 'unknown', 'filterIgnored', { side: 90 }],
    );
  });

  it('reads a filtered history whose long periods are refused', async () => {
    const fields = () => ({ symbol: '"eth_usdt"' });
    const rows = { trades: rowsOf('trades', 120, { newestAt: 1_700_000_000_123, fields }) };
    const server = await exchange({ rows, reading: { maxRangeDays: 30 } });
    const client = clientFor(server, { dialect: { maxRangeDays: 'auto' } });
    const selection: HistorySelection = { operation: 'trades', filters: { symbol: 'eth_usdt' } };
    const period = { from: 1_690_000_000_000, to: 1_700_000_001_000 };
    const file = await exporter.export(client, selection, { period });
    const { rows: written, completeness } = await metaOf(file);
    assert.deepEqual([written, completeness], [120, 'complete']);
  });

  describe('of several statuses', () => {
    const statuses = ['EXECUTED', 'CANCELED'];
    const jsonl = { format: 'jsonl' } as const;
    const selection: HistorySelection = { operation: 'orders', filters: { statuses } };
    const orders = rowsOf('orders', 600, {
      newestAt: 1_700_000_000_123,
      fields: (index) => ({ status: ['"EXECUTED"', '"OPEN"', '"CANCELED"'][index % 3] ?? '' }),
    });
    const wanted = orders
      .filter(({ json }) => json.status !== '"OPEN"')
      .map(({ id }) => String(id));
    const idsIn = async (file: string) =>
      (await readFile(file, 'utf8')).match(/(?<="orderId":)\d+/g)?.toSorted();

    for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
      it(`is complete without a known list form, ${sort}`, async () => {
        const reading = {
          maxPageSize: 50,
          sort,
          lists: ['brackets'],
          otherLists: 'lastValueOnly',
        } as const;
        const server = await exchange({ rows: { orders }, reading });
        const client = clientFor(server, { dialect: { lists: 'auto' } });
        const file = await exporter.export(client, selection, { format: 'jsonl' });
        const { rows, completeness, reason, unmatched } = await metaOf(file);
        assert.deepEqual([rows, completeness, reason], [400, 'complete', null]);
        assert.deepEqual(unmatched, {});
        assert.deepEqual(await idsIn(file), wanted.toSorted());
        assert.ok(server.seen('orders').every(({ path: sent }) => !sent.includes('statuses')));
      });

    it('resumes without the filter when it began without it, also once a form is known', async () => {
      const server = await exchange({ rows: { orders }, reading: { maxPageSize: 50 } });
      await exportPart(clientFor(server, { dialect: { lists: 'auto' } }), 3, jsonl, selection);
      const file = await exporter.export(clientFor(server), selection, { format: 'jsonl' });
      const { rows, completeness } = await metaOf(file);
      assert.deepEqual([rows, completeness], [400, 'complete']);
      assert.deepEqual(await idsIn(file), wanted.toSorted());
      assert.ok(server.seen('orders').every(({ path: sent }) => !sent.includes('statuses')));
    });

    it('begins again without the filter when it began with it, and no form is known any more', async () => {
      const reading = {
        maxPageSize: 50,
        lists: ['brackets'],
        otherLists: 'lastValueOnly',
      } as const;
      const server = await exchange({ rows: { orders }, reading });
      await exportPart(clientFor(server), 3, jsonl, selection);
      const client = clientFor(server, { dialect: { lists: 'auto' } });
      const file = await exporter.export(client, selection, { format: 'jsonl' });
      const { rows, completeness } = await metaOf(file);
      assert.deepEqual([rows, completeness], [400, 'complete']);
      assert.deepEqual(await idsIn(file), wanted.toSorted());
    });
  });

  it('without rows is a valid file, also for a period in the future', async () => {
    const { url } = await exchange();
    const future = { from: Date.UTC(2027, 0, 1), to: Date.UTC(2028, 0, 1) };
    for (const period of [{}, future]) {
      const options = { period, format: 'json' } as const;
      const file = await exporter.export(clientFor({ url }), trades, options);
      assert.deepEqual(parseJson(await readFile(file, 'utf8')), []);
      const shown = (({ rows, completeness }) => ({ rows, completeness }))(await metaOf(file));
      assert.deepEqual(shown, { rows: 0, completeness: 'complete' });
    }
  });

  it('lists the figures that could not be read, and counts them', async () => {
    const fields = (index: number) => (index % 10 === 3 ? { amount: '"much"' } : {});
    const rows = rowsOf('trades', 100, { fields });
    const { url } = await exchange({ rows: { trades: rows } });
    const file = await exporter.export(clientFor({ url }), trades);
    const { badRecords, rows: count, completeness, reason } = await metaOf(file);
    assert.deepEqual([count, completeness, reason], [100, 'unknown', 'unreadableRecords']);
    assert.equal(badRecords.atMost, 10);
    assert.deepEqual(badRecords.listed[0], {
      path: '$.content[3].amount',
      problem: '$.content[3].amount should be a number and is "much"',
      between: ['2023-11-14T22:11:42.000Z', '2023-11-14T22:13:20.000Z'],
    });
  });

  it('lists a record whose time is not a timestamp, as it belongs to no period', async () => {
    const fields = (index: number) => (index === 3 ? { time: '17' } : {});
    const { url } = await exchange({ rows: { trades: rowsOf('trades', 10, { fields }) } });
    const { rows, badRecords } = await metaOf(await exporter.export(clientFor({ url }), trades));
    assert.equal(rows, 9);
    const problem = 'a record’s time is not a timestamp';
    const { between, ...listed } = badRecords.listed[0] ?? assert.fail();
    assert.deepEqual([listed, between?.length], [{ path: '$.content', problem }, 2]);
  });

  it('ends with the same bytes however often it is interrupted, and reads at most one page again each time', async () => {
    const fault = { kind: 'status', status: 400 } as const;
    let isDown = false;
    const server = await exchange({
      rows: { trades: thousand },
      reading: { maxPageSize: 50 },
      faultOf: ({ operation }) => (isDown && operation === 'trades' ? fault : undefined),
    });
    const client = clientFor(server);
    const whole = await exporter.export(client, trades, { name: 'whole' });
    const reads = server.seen('trades').length;
    let interruptions = 0;
    for (; ; interruptions += 1) {
      isDown = interruptions % 3 === 2;
      const stop = new AbortController();
      let first: number | undefined;
      const onProgress = ({ reads }: Progress): void => {
        if (reads > (first ??= reads)) stop.abort();
      };
      const options = { name: 'target', signal: stop.signal, onProgress };
      const running = exporter.export(client, trades, options);
      const end = await running.catch((error: unknown) =>
        error instanceof Error ? error.name : String(error),
      );
      if (end.endsWith('target')) break;
      assert.match(end, /^(?:AbortError|ExchangeError)$/);
      assert.ok(!existsSync(path.join(exporter.folder, 'target')));
    }
    assert.ok(interruptions > 20, String(interruptions));
    assert.deepEqual(await bytesOf(path.join(exporter.folder, 'target')), await bytesOf(whole));
    assert.ok(server.seen('trades').length <= 2 * reads + interruptions);
    assert.deepEqual(await exporter.kept(), []);
  });

  for (const format of exportFormats)
    it(`as ${format} has the bytes of an uninterrupted one after its file was half made`, async () => {
      const { url } = await interrupted();
      const server = { url };
      const stop = new AbortController();
      const onRowsWritten = (): void => stop.abort();
      const options = { format, name: 'target', signal: stop.signal, onRowsWritten };
      await assert.rejects(exporter.export(clientFor(server), trades, options), {
        name: 'AbortError',
      });
      const target = await exporter.export(clientFor(server), trades, { format, name: 'target' });
      const whole = await exporter.export(clientFor(server), trades, { format, name: 'whole' });
      assert.deepEqual(await bytesOf(target), await bytesOf(whole));
      assert.deepEqual(await exporter.kept(), []);
    });

  it('ends where it would have ended, and expires after a day', async () => {
    const { url } = await interrupted();
    await exporter.clock.advance(day - 1);
    const { range, startedAt } = await metaOf(await exporter.export(clientFor({ url }), trades));
    assert.deepEqual(range, { from: null, toExclusive: '2026-11-19T23:59:55.000Z' });
    assert.equal(startedAt, '2026-11-20T00:00:00.000Z');
    await exportSteps(url, 5);
    await touchAll(exporter);
    await exporter.clock.advance(day);
    await exporter.ledgers.removeExpired();
    assert.notDeepEqual(await exporter.kept(), []);
    await exporter.clock.advance(1000);
    // While its file is being made, no rows come.
    const [ledger = ''] = await exporter.kept();
    const made = path.join(exporter.folder, 'kept', `${ledger}.file`);
    await writeFile(made, '');
    await utimes(made, new Date(exporter.clock.now()), new Date(exporter.clock.now()));
    await exporter.ledgers.removeExpired();
    assert.ok((await exporter.kept()).includes(ledger));
    await rm(made);
    await exporter.ledgers.removeExpired();
    assert.deepEqual(await exporter.kept(), []);
  });

  it('is resumed in any format, and not for other filters, another period or account', async () => {
    const { key } = exporter.plan(trades);
    const asked = { operation: 'orders', filters: { statuses: ['EXECUTED', 'CANCELED'] } } as const;
    const others = [
      exporter.plan({ operation: 'trades', filters: { side: 'BUY' } }),
      exporter.plan({ operation: 'lots', filters: {} }),
      exporter.plan(trades, { period: { ...always, from: 1 } }),
      exporter.plan(trades, { dialect: { ...defaultConventions, dates: 'isoDate' } }),
      exporter.plan(trades, { fingerprint: '9c2e' }),
      exporter.plan(trades, { profile: { baseUrl: 'https://exchange.example/other' } }),
      exporter.plan(trades, { profile: { auth: presetScheme('bearer') } }),
      exporter.plan(asked),
      exporter.plan(asked, { dialect: { ...defaultConventions, lists: 'comma' } }),
    ];
    assert.equal(new Set([key, ...others.map((plan) => plan.key)]).size, 10);
    await exporter.clock.advance(1000);
    assert.equal(exporter.plan(trades, { format: 'json' }).key, key);
    assert.equal(exporter.plan({ operation: 'trades', filters: { side: undefined } }).key, key);
    const lists = { dialect: { ...defaultConventions, lists: 'comma' } } as const;
    assert.equal(exporter.plan(trades, lists).key, key, 'no request has a list');
  });

  it('begins again if what it had read is damaged', async () => {
    const { url } = await interrupted();
    const [name = ''] = (await exporter.kept()).filter((file) => file.endsWith('.sqlite'));
    await writeFile(path.join(kept(), name), 'x'.repeat(10_000));
    const { rows, completeness } = await metaOf(await exporter.export(clientFor({ url }), trades));
    assert.deepEqual([rows, completeness], [1000, 'complete']);
    assert.deepEqual(await exporter.kept(), []);
  });

  // test/soak kills it 200 times.
  it('has the bytes of an uninterrupted one after its windows were killed, and leaves nothing', async () => {
    const { url } = await busy();
    await killExports(url, exporter.folder, 2);
  });

  it('waits for another export of the same rows, and then reads what is new', async () => {
    const { url } = await busy();
    let unfinished: Promise<unknown> | undefined;
    const { first, second } = await exportTwice(url, {
      onWait: () => {
        unfinished ??= exporter.ledgers.find(exporter.plan(trades));
      },
    });
    assert.equal(await unfinished, undefined, 'the second does not go on with it');
    assert.deepEqual(await bytesOf(await second.ended), await bytesOf(first));
    assert.deepEqual(await exporter.kept(), []);
  });

  it('stops waiting when it is cancelled', async () => {
    const { url } = await busy();
    const stop = new AbortController();
    const { second } = await exportTwice(url, { signal: stop.signal, onWait: () => stop.abort() });
    await assert.rejects(second.ended, { name: 'AbortError' });
    assert.deepEqual(await exporter.kept(), []);
  });

  it('reads shorter periods after the exchange refused a long one', async () => {
    const rows = rowsOf('trades', 300, { spacingMs: day / 4 });
    const { url } = await exchange({ rows: { trades: rows }, reading: { maxRangeDays: 7 } });
    const period = { from: 1_700_000_000_000 - 75 * day, to: 1_700_000_000_001 };
    const client = clientFor({ url }, { dialect: { maxRangeDays: 'auto' } });
    const meta = await metaOf(await exporter.export(client, trades, { period }));
    assert.deepEqual([meta.rows, meta.completeness], [300, 'complete']);
  });

  it('is of unknown completeness when the exchange refuses to be asked for the first record', async () => {
    const earliestFrom = 1_700_000_000_000 - 5 * 365 * day;
    const { url } = await exchange({ rows: { trades: thousand }, reading: { earliestFrom } });
    const meta = await metaOf(await exporter.export(clientFor({ url }), trades));
    assert.deepEqual(
      [meta.rows, meta.completeness, meta.reason],
      [1000, 'unknown', 'edgesUnproven'],
    );
  });

  it('reads the exchange’s time zone before it requests by days', async () => {
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
    const meta = await metaOf(await exporter.export(client, trades));
    assert.deepEqual([meta.rows, meta.completeness], [120, 'complete']);
    assert.ok(Number(meta.reads) <= 10, `${String(meta.reads)} reads`);
  });

  it('is not removed while it runs, however long nothing came', async () => {
    const ledger = await openLedger(await busy());
    await touchAll(exporter);
    await exporter.clock.advance(2 * day);
    await exporter.ledgers.removeExpired();
    await ledger.close();
    assert.notDeepEqual(await exporter.kept(), []);
    await touchAll(exporter, exporter.clock.now() - 2 * day);
    await exporter.ledgers.removeExpired();
    assert.deepEqual(await exporter.kept(), []);
  });

  it('says what an interrupted one has before it reads on', async () => {
    const server = await interrupted();
    const reads = server.seen('trades').length;
    const stop = new AbortController();
    const shown: Progress[] = [];
    const onProgress = (progress: Progress): void => {
      shown.push(progress);
      stop.abort();
    };
    const options = { signal: stop.signal, onProgress };
    const running = exporter.export(clientFor(server), trades, options);
    await assert.rejects(running, { name: 'AbortError' });
    const [{ rows, part } = assert.fail()] = shown;
    assert.equal(server.seen('trades').length, reads);
    assert.ok(rows >= 200 && part > 0 && part < 1, `${rows} rows, ${part}`);
  });

  it('holds up no other one if its rows cannot be deleted', async () => {
    const server = await busy();
    const ledger = await openLedger(server);
    const failure = () => Promise.reject(new LedgerError('busy'));
    Object.assign(ledger.store, { deleteFile: failure });
    try {
      await assert.rejects(ledger.delete(), { problem: 'busy' });
      await (await openLedger(server)).delete();
      assert.deepEqual(await exporter.kept(), []);
    } finally {
      await ledger.store.close();
    }
  });

  it('removes what it made of rows that were removed with its profile meanwhile', async () => {
    const ledger = await openLedger(await busy());
    await exporter.ledgers.removeOfProfile('Main');
    await writeFile(ledger.file, 'rows');
    await assert.rejects(ledger.close(), { problem: 'missing' });
    assert.deepEqual(await exporter.kept(), []);
  });

  it('expires after a day if the clock was ahead while it was read', async () => {
    await interrupted();
    await touchAll(exporter, exporter.clock.now() + 8 * day);
    await exporter.ledgers.removeExpired();
    assert.deepEqual(await exporter.kept(), []);
  });

  it('is over when its process ended after its file was moved', async () => {
    const { url } = await busy();
    await assert.rejects(exporter.export(clientFor({ url }), trades, { name: 'gone/trades.csv' }));
    const ledger = await openLedger({ url });
    assert.equal((await ledger.parts()).length, 1);
    await ledger.noteMade();
    await ledger.store.close();
    assert.equal(await exporter.ledgers.find(exporter.plan(trades)), undefined);
    const another = await openLedger({ url });
    assert.deepEqual(await another.parts(), []);
    await another.delete();
  });

  it('is removed with its profile, even while it runs', async () => {
    const { url } = await interrupted();
    let removing: Promise<void> | undefined;
    const onProgress = (): void => {
      removing ??= exporter.ledgers.removeOfProfile('Main');
    };
    const running = exporter.export(clientFor({ url }), trades, { onProgress });
    await assert.rejects(running, { name: 'ExportFileError', problem: 'missing' });
    await removing;
    assert.deepEqual(await exporter.kept(), []);
    await exportSteps(url, 5);
    await exporter.ledgers.removeOfProfile('Other');
    assert.ok((await exporter.kept()).length > 0);
  });

  it('says how much room it needs before it fills the disk', async () => {
    const { url } = await busy();
    const free = Object.getOwnPropertyDescriptor(ExportLedger.prototype, 'freeBytes') ?? {};
    Object.defineProperty(ExportLedger.prototype, 'freeBytes', {
      ...free,
      value: () => Promise.resolve(500_000),
    });
    try {
      const message =
        /^There is not enough room in the storage of VS Code: 95\d rows need about 1 MB, and 0 MB are free\. /;
      await assert.rejects(exporter.export(clientFor({ url }), trades), { message });
    } finally {
      Object.defineProperty(ExportLedger.prototype, 'freeBytes', free);
    }
    assert.deepEqual(await exporter.kept(), []);
  });

  it('loses nothing if its folder is missing at the end, and does not read again', async () => {
    const server = await busy();
    const { url } = server;
    const options = { name: 'gone/trades.csv' };
    await assert.rejects(
      exporter.export(clientFor({ url }), trades, options),
      (error) =>
        error instanceof ExportFileError &&
        error.location === 'target' &&
        error.problem === 'missing',
    );
    const reads = server.seen('trades').length;
    await mkdir(path.join(exporter.folder, 'gone'));
    const file = await exporter.export(clientFor({ url }), trades, options);
    assert.equal(parseCsv(await readFile(file, 'utf8')).length, 1001);
    assert.equal(server.seen('trades').length, reads);
    assert.deepEqual(await readdir(path.dirname(file)), ['trades.csv', 'trades.csv.meta.json']);
  });

  it('leaves a file and its meta file as they were when it cannot replace them', async () => {
    const { url } = await busy();
    const target = path.join(exporter.folder, 'trades.csv');
    await mkdir(path.join(target, 'below'), { recursive: true });
    await writeFile(`${target}.meta.json`, 'of yesterday');
    await assert.rejects(exporter.export(clientFor({ url }), trades), ExportFileError);
    assert.equal(await readFile(`${target}.meta.json`, 'utf8'), 'of yesterday');
    const names = (await readdir(exporter.folder)).toSorted();
    assert.deepEqual(names, ['kept', 'trades.csv', 'trades.csv.meta.json']);
  });

  it('can be read by its owner only, while it runs and afterwards', async () => {
    const { url } = await busy();
    const modes = async (files: readonly string[]) =>
      new Set(await Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777)));
    const found = new Map<string, Promise<ReadonlySet<number>>>();
    const look = (): void => {
      for (const name of readdirSync(kept()))
        found.set(path.extname(name), modes([path.join(kept(), name)]));
    };
    const options = { onProgress: look, onRowsWritten: look };
    const file = await exporter.export(clientFor({ url }), trades, options);
    assert.deepEqual([...found.keys()].toSorted(), [
      '.file',
      '.lease',
      '.lease-journal',
      '.sqlite',
      '.sqlite-journal',
    ]);
    for (const each of found.values()) assert.deepEqual(await each, new Set([0o600]));
    assert.deepEqual(await modes([file, `${file}.meta.json`]), new Set([0o600]));
  });

  // test/soak exports 100,000 rows in every format.
  it('needs little memory for 30,000 rows', async () => {
    const { rows, growthBytes } = await exportCost(30_000, 'csv');
    assert.equal(rows, 30_000);
    assert.ok(growthBytes < 60e6, `${growthBytes} bytes`);
  });

  // The same disk where there is none in memory.
  it('can be moved to another disk', async () => {
    const { url } = await busy();
    const other = await temporaryFolder();
    try {
      const name = path.relative(exporter.folder, path.join(other.path, 'trades.csv'));
      const file = await exporter.export(clientFor({ url }), trades, { name });
      assert.equal(parseCsv(await readFile(file, 'utf8')).length, 1001);
      assert.deepEqual(await readdir(other.path), ['trades.csv', 'trades.csv.meta.json']);
      assert.deepEqual(await exporter.kept(), []);
    } finally {
      await other.remove();
    }
  });
});

/** Of a file, or of all files of a folder. */
async function bytesOf(target: string): Promise<readonly Buffer[]> {
  if (!(await stat(target)).isDirectory()) return [await readFile(target)];
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => path.join(parentPath, name)).toSorted();
  return Promise.all(paths.map((each) => readFile(each)));
}

/** Gives all kept files this time. */
async function touchAll(exporter: TestExporter, at = exporter.clock.now()): Promise<void> {
  const now = new Date(at);
  for (const name of await exporter.kept())
    await utimes(path.join(exporter.folder, 'kept', name), now, now);
}
