import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openEnd, type Interval } from '../../src/base/interval.ts';
import { exportEnd, type AccountRows } from '../../src/account/export/exportRows.ts';
import { dayMs, hourMs, minuteMs } from '../../src/base/time.ts';
import type { HistorySelection } from '../../src/exchange/history/records.ts';
import { commitDelayMs } from '../../src/exchange/history/readToEnd.ts';
import { ledgerHistoryNames } from '../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { LedgerError } from '../../src/ledger/ledgerError.ts';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/http/practiceServer.ts';
import { practiceConventions } from '../../src/host/profiles/practiceExchange.ts';
import { aTrade } from '../support/builders.ts';
import { clientFor } from '../support/exchangeClient.ts';
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
      const options = { format, name: 'exchange' };
      const fromExchange = await exported(request, options);
      const before = requests;
      const fromLedger = await exported(request, {
        ...options,
        name: 'ledger',
        ledger: ledger.current,
      });
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

  it('reads from the exchange what the ledger does not prove, with the same bytes', async () => {
    const fromExchange = await exported(trades, { name: 'exchange' });
    const gap = { from: now - 40 * dayMs, to: now - 30 * dayMs };
    loseProof(gap);
    const { text, meta } = await exported(trades, { ledger: ledger.current });
    assert.equal(text, fromExchange.text);
    assert.deepEqual([meta.completeness, meta.source], ['complete', 'both']);
    assert.ok(Number(meta.reads) > 0 && Number(meta.reads) < Number(fromExchange.meta.reads));
    assert.deepEqual(stored.unfinishedWalks(), []);
    const reads = stored
      .coverage('trades')
      .filter(({ completeness }) => completeness !== 'complete');
    assert.deepEqual(
      reads.map(({ from, to }) => ({ from, to })),
      [gap],
      'the ledger claims no more than before',
    );
  });

  it('comes from the exchange where records change, and where the ledger fails', async () => {
    const orders = { operation: 'orders', filters: {} } as const;
    const source = async (request: HistorySelection) =>
      (await exported(request, { ledger: ledger.current })).meta.source;
    assert.equal(await source(orders), 'exchange');
    ledger.failure = new LedgerError('busy');
    assert.equal(await source(trades), 'exchange');
    assert.equal(ledger.synchronised, 0);
  });

  it('synchronises an open period first, and ends where the ledger does', async () => {
    const later = now + hourMs;
    const open = { request: trades, period: { from: period.from, to: openEnd } };
    const end = (at: number) => exportEnd(ledger.current, open, at - commitDelayMs);
    assert.equal(await end(later), later - commitDelayMs);
    assert.equal(ledger.synchronised, 1);
    const to = later - commitDelayMs - minuteMs / 2;
    const read = { from: now - hourMs, to, asOf: later };
    const { id } = stored.beginWalk({ history: 'trades', ...read, purpose: 'current' });
    stored.endWalk(id, { completeness: 'complete', reason: null });
    assert.equal(await end(later), to);
  });

  /** The ledger, with a write after each piece that is read from it. */
  const writtenMeanwhile = (write: (piece: number) => void): AccountRows => {
    const { reader, writer } = ledger.current;
    let read = 0;
    const piece: AccountRows['reader']['piece'] = async (...query) => {
      const found = await reader.piece(...query);
      write((read += 1));
      return found;
    };
    return { writer, reader: { piece } };
  };

  /** A later read of these days was not complete. */
  function loseProof(days: Interval): void {
    const read = { ...days, asOf: now + hourMs };
    const { id } = stored.beginWalk({ history: 'trades', ...read, purpose: 'current' });
    stored.endWalk(id, { completeness: 'drifted', reason: null });
  }

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
    const source = writtenMeanwhile((piece) => {
      if (piece === 1) loseProof({ from: now - 30 * dayMs, to: now - 20 * dayMs });
    });
    const { meta } = await exported(trades, { ledger: source });
    assert.deepEqual([meta.completeness, meta.source], ['drifted', 'ledger']);
  });

  for (const format of ['jsonl', 'parquet'] as const)
    it(`as ${format} has the rows that the ledger had when it began, whatever is written meanwhile`, async () => {
      const undisturbed = await exported(trades, { format, ledger: ledger.current });
      const other = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
      const source = writtenMeanwhile((piece) => {
        saveTrade(other, `98765432${piece}`, period.to - piece);
        saveTrade(other, `88765432${piece}`, period.from + piece);
      });
      const { text, meta } = await exported(trades, { format, ledger: source });
      other.close();
      assert.deepEqual([meta.completeness, meta.source], ['complete', 'ledger']);
      assert.equal(text, undisturbed.text);
    });

  it('has the order of the exchange', async () => {
    const ids = async (sort: 'newestFirst' | 'oldestFirst') => {
      const client = clientFor(exchange, { clock, dialect: { ...practiceConventions, sort } });
      const options = { period, format: 'jsonl', name: sort, ledger: ledger.current } as const;
      return idsIn(await readFile(await exporter.export(client, trades, options), 'utf8'));
    };
    assert.deepEqual(await ids('oldestFirst'), (await ids('newestFirst')).toReversed());
  });

  it('leaves nothing when it is cancelled', async () => {
    const stop = new AbortController();
    const onRowsWritten = (): void => stop.abort();
    const options = { ledger: ledger.current, signal: stop.signal, onRowsWritten };
    await assert.rejects(exported(trades, options), { name: 'AbortError' });
    assert.deepEqual(await exporter.kept(), []);
  });
});
