import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openEnd } from '../../src/base/interval.ts';
import { findLedgerSource, type LedgerSource } from '../../src/account/export/ledgerSource.ts';
import { dayMs, hourMs, minuteMs } from '../../src/base/time.ts';
import type { HistorySelection } from '../../src/exchange/history/historyRecords.ts';
import { commitDelayMs } from '../../src/exchange/history/readToEnd.ts';
import { ledgerHistoryNames } from '../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { LedgerError } from '../../src/ledger/ledgerError.ts';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/http/practiceServer.ts';
import { aTrade } from '../support/builders.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { ledgerInThisThread } from '../support/ledgerUnderTest.ts';
import { LedgerOfPanel } from '../support/panelLedger.ts';
import { practiceClock } from '../support/practiceTime.ts';
import { folderOfEachTest, temporaryFolder, type TemporaryFolder } from '../support/project.ts';
import { SyncedLedger } from '../support/syncedLedger.ts';
import { metaOf, TestExporter, type TestExportOptions } from '../support/testExporter.ts';

const trades: HistorySelection = { operation: 'trades', filters: {} };

describe('an export of the ledger', () => {
  const folder = folderOfEachTest();
  const clock = practiceClock();
  const now = clock.now();
  const period = { from: now - 60 * dayMs, to: now - dayMs };
  let exchange: ServedExchange;
  /** The folder of a ledger that each test gets a copy of. */
  let filled: TemporaryFolder;
  let world: SyncedLedger;
  let requests = 0;
  let exporter: TestExporter;
  let stored: LedgerCalls;
  let ledger: LedgerOfPanel;

  before(async () => {
    exchange = await serveExchange({ seed: 1, clock, weightLimit: 1_000_000_000 });
    world = new SyncedLedger(exchange, { clock, client: { onRequest: () => (requests += 1) } });
    await world.downloadAll();
    filled = await temporaryFolder();
    await fill(path.join(filled.path, 'ledger.sqlite'));
  });
  after(() => Promise.all([exchange.close(), filled.remove()]));

  async function fill(file: string): Promise<void> {
    const whole = ledgerInThisThread({ file });
    for (const history of ledgerHistoryNames)
      for (const read of await world.ledger.coverage(history)) {
        const { id } = whole.beginWalk({ history, ...read, purpose: 'download' });
        whole.saveStep(id, world.ledger.records(history).map(recordJson), null);
        whole.endWalk(id, read);
      }
    whole.close();
  }

  beforeEach(async () => {
    exporter = new TestExporter(folder.path, new FakeClock(now));
    await cp(filled.path, folder.path, { recursive: true });
    stored = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    ledger = new LedgerOfPanel(stored);
  });

  const sourceOf = (request: HistorySelection, asked = period): Promise<LedgerSource | undefined> =>
    findLedgerSource(ledger.current, { request, period: asked }, now);

  async function exported(request: HistorySelection, options: TestExportOptions) {
    const file = await exporter.export(world.client, request, { period, ...options });
    return { text: await readFile(file, 'latin1'), meta: await metaOf(file) };
  }

  const selections: readonly (readonly [HistorySelection, TestExportOptions['format']])[] = [
    [trades, 'csv'],
    [{ operation: 'trades', filters: { symbol: 'btc_usdt', side: 'BUY' } }, 'json'],
    [{ operation: 'transactions', filters: { accountType: 'FUTURE', type: 'FEE' } }, 'jsonl'],
    [{ operation: 'transactions', filters: { accountType: 'SPOT' } }, 'csv'],
    [{ operation: 'transactions', filters: { accountType: 'FUTURE' } }, 'parquet'],
    [trades, 'xlsx'],
  ];
  for (const [request, format = 'csv'] of selections)
    it(`has the bytes of the exchange, without a request: ${JSON.stringify(request)}`, async () => {
      const source = (await sourceOf(request)) ?? assert.fail('The ledger lacks rows.');
      const options = { format, name: 'exchange' };
      const fromExchange = await exported(request, options);
      const before = requests;
      const fromLedger = await exported(request, { ...options, name: 'ledger', ledger: source });
      assert.equal(requests, before);
      assert.ok(fromLedger.meta.rows > 0);
      assert.equal(fromLedger.text, fromExchange.text);
      assert.deepEqual(fromLedger.meta, {
        ...fromExchange.meta,
        file: 'ledger',
        source: 'ledger',
        reads: 0,
      });
      assert.equal(fromExchange.meta.completeness, 'complete');
    });

  it('is used only where it has the whole period, and never for records that change', async () => {
    assert.equal((await sourceOf(trades))?.to, period.to);
    const orders = { operation: 'orders', filters: {} } as const;
    assert.equal(await sourceOf(orders), undefined);
    assert.equal(await sourceOf(trades, { ...period, from: now - 100 * dayMs }), undefined);
    ledger.failure = new LedgerError('busy');
    assert.equal(await sourceOf(trades), undefined);
    assert.equal(ledger.synchronised, 0);
  });

  it('synchronises an open period first, and ends where the ledger does', async () => {
    const later = now + hourMs;
    const open = { request: trades, period: { from: period.from, to: openEnd } };
    assert.equal(await findLedgerSource(ledger.current, open, later), undefined);
    assert.equal(ledger.synchronised, 1);
    const to = later - commitDelayMs - minuteMs / 2;
    const read = { from: now - hourMs, to, asOf: later };
    const { id } = stored.beginWalk({ history: 'trades', ...read, purpose: 'current' });
    stored.endWalk(id, { completeness: 'complete', reason: null });
    assert.equal((await findLedgerSource(ledger.current, open, later))?.to, to);
  });

  /** The ledger, with a write after each page that is read from it. */
  const writtenMeanwhile = (
    { reader, ...source }: LedgerSource,
    write: (page: number) => void,
  ): LedgerSource => {
    let page = 0;
    const rows: LedgerSource['reader']['rows'] = async (...query) => {
      const found = await reader.rows(...query);
      write((page += 1));
      return found;
    };
    return { ...source, reader: { ...reader, rows } };
  };

  /** What a window stores that reads an interval once more: its coverage stays. */
  function saveTrade(window: LedgerCalls, tradeId: string, time: number): void {
    const read = { from: time, to: time + 1, asOf: now, purpose: 'current' } as const;
    const { id } = window.beginWalk({ history: 'trades', ...read });
    const trade = aTrade({ tradeId, time: String(time) });
    window.saveStep(id, [recordJson(trade)], null);
    window.dropWalk(id);
  }

  const idsIn = (text: string): readonly string[] =>
    text
      .trim()
      .split('\n')
      .map((line) => /"tradeId":(\d+)/.exec(line)?.[1] ?? assert.fail(line));

  it('is not complete if the ledger lost its proof while it was copied', async () => {
    const source = (await sourceOf(trades)) ?? assert.fail('The ledger lacks rows.');
    const read = { from: now - 30 * dayMs, to: now - 20 * dayMs, asOf: now + hourMs };
    const ledger = writtenMeanwhile(source, (page) => {
      if (page > 1) return;
      const { id } = stored.beginWalk({ history: 'trades', ...read, purpose: 'current' });
      stored.endWalk(id, { completeness: 'drifted', reason: null });
    });
    const { meta } = await exported(trades, { ledger });
    assert.deepEqual([meta.completeness, meta.source], ['drifted', 'ledger']);
  });

  it('has each row once if another window writes one between two pages', async () => {
    const source = (await sourceOf(trades)) ?? assert.fail('The ledger lacks rows.');
    const added = '987654321';
    const other = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    const ledger = writtenMeanwhile(source, (page) => {
      if (page === 1) saveTrade(other, added, period.to - 1);
    });
    const { text, meta } = await exported(trades, { format: 'jsonl', ledger });
    other.close();
    const ids = idsIn(text);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids[0], added);
    assert.deepEqual([meta.completeness, meta.source], ['complete', 'ledger']);
    assert.equal(meta.rows, ids.length);
  });

  it('does not mind what the ledger gets of other periods', async () => {
    const source = (await sourceOf(trades)) ?? assert.fail('The ledger lacks rows.');
    const undisturbed = await exported(trades, { name: 'undisturbed', ledger: source });
    const before = requests;
    const ledger = writtenMeanwhile(source, (page) => saveTrade(stored, `98765432${page}`, page));
    const { text, meta } = await exported(trades, { ledger });
    assert.deepEqual([meta.completeness, meta.source], ['complete', 'ledger']);
    assert.equal(text, undisturbed.text);
    assert.equal(requests, before);
  });

  it('comes from the exchange if the ledger keeps changing', async () => {
    const source = (await sourceOf(trades)) ?? assert.fail('The ledger lacks rows.');
    const fromExchange = await exported(trades, { name: 'exchange' });
    const ledger = writtenMeanwhile(source, (page) =>
      saveTrade(stored, `98765432${page}`, period.to - page),
    );
    const { text, meta } = await exported(trades, { ledger });
    assert.deepEqual([meta.completeness, meta.source], ['complete', 'exchange']);
    assert.equal(text, fromExchange.text);
  });

  it('that was cancelled is resumed from the exchange, with the same bytes', async () => {
    const source = (await sourceOf(trades)) ?? assert.fail('The ledger lacks rows.');
    const stop = new AbortController();
    let copied = 0;
    const onProgress = ({ rows }: { readonly rows: number }): void => {
      copied = rows;
      stop.abort();
    };
    const cancelled = exported(trades, { ledger: source, signal: stop.signal, onProgress });
    await assert.rejects(cancelled, { name: 'AbortError' });
    const resumed = await exported(trades, {});
    const whole = await exported(trades, { name: 'whole' });
    assert.ok(copied > 0 && copied < whole.meta.rows);
    assert.equal(resumed.meta.source, 'exchange');
    assert.equal(resumed.text, whole.text);
  });
});
