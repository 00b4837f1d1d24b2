import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Document } from '../../src/protocol/document.ts';
import { hourMs } from '../../src/base/time.ts';
import type { Trade } from '../../src/exchange/records.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import type { Completeness, SavedWalk } from '../../src/ledger/ledger.ts';
import type { LedgerClient } from '../../src/ledger/ledgerClient.ts';
import { Ledgers } from '../../src/ledger/ledgers.ts';
import { anAccount, aTrade, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { minuteLimit } from '../support/hostileExchange/options.ts';
import type { HostileServer } from '../support/hostileServer.ts';
import { downloadPage, pressOnDownloadPage } from '../support/pressDownload.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';
import { blockOf, blocksOf, changesIn, openedIn, pressIn } from '../support/shownDocument.ts';

const newest = Math.floor(Date.now() / hourMs) * hourMs - hourMs;
/** An hour apart, the newest first. */
const trades = Array.from({ length: 30 }, (_none, index) =>
  aTrade({ tradeId: String(30 - index), time: String(newest - index * hourMs) }),
);
const period = { from: newest - 40 * hourMs, to: newest + 1 };

/** Ledgers that another window wrote, so that no test waits for a download. */
describe('the ledger of an account that is opened', () => {
  const harness = profilesUnderTest();
  const { access, messages, serve, run, opened, set } = harness;
  scriptedProgress();
  const ledger = () => access().app.ledger;
  const shown = () => ledger().shown.current;
  const texts = (): string[] => messages.shown.map(({ text }) => text);
  const otherWindows: LedgerClient[] = [];
  let panels: FakePanel[];
  let ledgers: Ledgers;
  let folder: string;
  let server: HostileServer;

  beforeEach(async () => {
    const { context } = access();
    folder = path.join(context.globalStorageUri.fsPath, 'ledgers');
    ledgers = new Ledgers({ folder, workerFile: context.asAbsolutePath('dist/ledgerWorker.cjs') });
    panels = [];
    server = await exchange();
  });

  afterEach(async () => {
    for (const panel of panels) panel.dispose();
    for (const window of otherWindows.splice(0)) await window.close();
    await ledger().profileLedgers.removeOfProfile('Main');
    await set('marginDesk.ledger.keepCurrent', undefined);
  });

  const exchange = (): Promise<HostileServer> =>
    serve(({ url = '' }, response) => {
      if (url.includes('exchangeInfo'))
        response.end(
          `{"rateLimits":${minuteLimit(1_000_000)},"timezone":"UTC","serverTime":${Date.now()},"symbols":[]}`,
        );
      else if (url.includes('/accounts')) response.end(wire(anAccount()));
      else response.end(url.includes('/trades') ? pageOf(url) : '{"content":[],"totalElements":0}');
    });

  /** A ledger as another window left it, or still writes it. */
  async function writtenElsewhere(
    completeness: Completeness = 'complete',
  ): Promise<{ readonly id: string; readonly window: LedgerClient }> {
    const id = ledgers.create();
    const window = ledgers.open(id);
    otherWindows.push(window);
    await readInto(window, trades, completeness);
    return { id, window };
  }

  const begin = (window: LedgerClient): Promise<SavedWalk> =>
    window.beginWalk({ ...period, history: 'trades', asOf: newest, purpose: 'download' });

  async function readInto(
    window: LedgerClient,
    records: readonly Trade[],
    completeness: Completeness,
  ): Promise<void> {
    const { id } = await begin(window);
    await window.saveStep(id, records, null);
    const reason = completeness === 'unknown' ? 'edgesUnproven' : null;
    await window.endWalk(id, { completeness, reason });
  }

  /** Opens an account, and shows it this ledger. */
  async function openWith(id: string): Promise<void> {
    await opened('Main', server);
    const { state } = access().app.active;
    assert.ok(state.kind === 'open');
    await ledger().profileLedgers.start(state.session, id);
    messages.shown.length = 0;
  }

  async function page(): Promise<{ panel: FakePanel; document: Document }> {
    const panel = new FakePanel();
    panels.push(panel);
    ledger().page.restore(panel.asPanel(), '');
    const { document } = await openedIn(panel);
    return { panel, document };
  }

  const tradesOf = (document: Document) => blocksOf(document, 'map')[0]?.lines[1];
  const summaryOf = (document: Document): string => tradesOf(document)?.summary ?? '';
  const checkpoints = async (): Promise<number> =>
    (await shown()?.reader.checkpoints({ from: 0, to: Number.MAX_SAFE_INTEGER }))?.length ?? 0;

  it('is only read while another window writes it, follows that, and is written once it closes', async () => {
    const { id, window } = await writtenElsewhere();
    await openWith(id);
    const { panel, document } = await page();
    assert.match(summaryOf(document), /^30 rows · complete from .* to /);
    await pressOnDownloadPage(ledger(), 'download');
    await eventually('a message', () => texts().length > 0);
    assert.deepEqual(texts(), [
      'Another window is using this ledger. Continue there, or close that window.',
    ]);
    await readInto(window, [aTrade({ tradeId: '31', time: String(newest) })], 'unknown');
    await run(commands.refresh);
    await eventually('the new row', () =>
      changesIn(panel).some((changed) => summaryOf(changed).startsWith('31 rows')),
    );
    assert.equal(await checkpoints(), 0);
    await window.close();
    await run(commands.refresh);
    await eventually('a checkpoint of this window', async () => (await checkpoints()) > 0);
  });

  it('is left to another window while it is not kept current, and shows what that wrote on Refresh', async () => {
    await set('marginDesk.ledger.keepCurrent', false);
    const { id, window } = await writtenElsewhere();
    await window.close();
    let looks = 0;
    const looked = ledger().shown.onDidWrite(() => (looks += 1));
    await openWith(id);
    await eventually('a look at the ledger', () => looks > 0);
    const other = ledgers.open(id);
    otherWindows.push(other);
    assert.equal(await other.claimWriting(), true);
    await readInto(other, [aTrade({ tradeId: '31', time: String(newest) })], 'complete');
    const { signal } = new AbortController();
    const before = looks;
    assert.equal(await shown()?.synchronise(['trades'], signal), false);
    assert.ok(looks > before);
    looked.dispose();
  });

  it('is drawn again neither for a read of the account nor while its page is hidden', async () => {
    await set('marginDesk.ledger.keepCurrent', false);
    const { id, window } = await writtenElsewhere();
    await openWith(id);
    const { panel } = await page();
    await run(commands.refresh);
    panel.setVisible(false);
    await readInto(window, [aTrade({ tradeId: '31', time: String(newest) })], 'complete');
    await run(commands.refresh);
    assert.deepEqual(changesIn(panel), []);
    const { document } = await openedIn(panel);
    assert.match(summaryOf(document), /^31 rows/);
  });

  it('has its gaps filled from its page', async () => {
    const { id, window } = await writtenElsewhere('unknown');
    await window.close();
    await openWith(id);
    const { panel, document } = await page();
    assert.equal(tradesOf(document)?.gaps.length, 1);
    await pressIn(panel, 'fillGaps');
    const offered = await pressOnDownloadPage(ledger(), 'download');
    assert.match(
      blockOf(offered, 'notice').texts[0] ?? '',
      /^Takes (?:at least 1 request|about 4 requests) · weight [14]0/,
    );
    await eventually('no gap', () =>
      changesIn(panel).some((changed) => tradesOf(changed)?.gaps.length === 0),
    );
    await eventually('the end', () => texts().some((text) => text.endsWith(' is downloaded.')));
  });

  it('goes on with a download by itself, unless it was paused: that is resumed', async () => {
    const { id, window } = await writtenElsewhere();
    await window.pauseWalk((await begin(window)).id, true);
    await window.close();
    await openWith(id);
    await run(commands.refresh);
    await eventually('this window to write', async () => (await checkpoints()) > 0);
    const downloads = async () =>
      ((await shown()?.writer.unfinishedWalks()) ?? []).filter(
        ({ purpose }) => purpose === 'download',
      );
    assert.deepEqual(
      (await downloads()).map(({ isPaused }) => isPaused),
      [true],
    );
    const paused = await pressOnDownloadPage(ledger(), 'resume');
    assert.deepEqual(paused.notes, ['A download is not finished. What it read is stored.']);
    await eventually('the end', () => texts().some((text) => text.endsWith(' is downloaded.')));
    await begin(shown()?.writer as LedgerClient);
    await run(commands.refresh);
    await eventually('the next end', async () => (await downloads()).length === 0);
  });

  it('says in one sentence that its file is damaged, sets it aside and starts again', async () => {
    const { id, window } = await writtenElsewhere();
    await window.close();
    writeFileSync(path.join(folder, `${id}.sqlite`), 'x'.repeat(10_000));
    await openWith(id);
    await eventually('the sentence', () =>
      texts().find((text) => text.startsWith('The ledger file was damaged. It is kept as ')),
    );
    const { document } = await page();
    assert.match(
      JSON.stringify(document.sections),
      /Nothing was downloaded yet|the ledger is empty/i,
    );
    assert.ok(readdirSync(folder).includes(`${id}.sqlite.aside-1`));
  });

  it('downloads again what a damaged file had, as far as that can be read', async () => {
    const { id, window } = await writtenElsewhere();
    await window.close();
    const file = path.join(folder, `${id}.sqlite`);
    damageRows(file);
    messages.answers.push('Download Again');
    await openWith(id);
    await eventually('the page', () => ledger().download.open.get(''));
    await pressOnDownloadPage(ledger(), 'download');
    const { panel } = await page();
    await eventually('the end', () => texts().some((text) => text.endsWith(' is downloaded.')));
    await eventually('its rows', () =>
      changesIn(panel).some((changed) =>
        /^30 rows · complete from .* to /.test(summaryOf(changed)),
      ),
    );
  });

  it('says in one sentence that a newer version wrote it, and leaves it as it is', async () => {
    const { id, window } = await writtenElsewhere();
    await window.close();
    const file = path.join(folder, `${id}.sqlite`);
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const before = readFileSync(file);
    await openWith(id);
    const sentence = `A newer version of Margin Desk wrote the ledger ${file}. It stays as it is: update the extension.`;
    const { document } = await page();
    assert.deepEqual(document.notes, [sentence]);
    assert.deepEqual((await downloadPage(ledger())).document.notes, [sentence]);
    await run(commands.deleteLedger);
    assert.deepEqual(texts(), [sentence]);
    await assert.rejects(ledger().profileLedgers.removeOfProfile('Main'), {
      problem: 'newer',
      file,
    });
    assert.deepEqual(readFileSync(file), before);
  });

  it('is unavailable without SQLite: one sentence says so, and everything else works', async () => {
    const { isBuiltin } = nodeModule;
    nodeModule.isBuiltin = (name) => name !== 'node:sqlite' && isBuiltin(name);
    try {
      await opened('Main', server);
      for (const command of [
        ...[commands.openLedger, commands.backUpLedger],
        ...[commands.restoreLedger, commands.deleteLedger],
      ])
        await run(command);
      const sentence = 'The ledger needs SQLite, which this version of VS Code does not have.';
      assert.deepEqual(texts(), Array(4).fill(sentence));
      await run(commands.refresh);
      assert.equal(access().app.active.state.kind, 'open');
      assert.equal(texts().length, 4);
      assert.deepEqual((await downloadPage(ledger())).document.notes, [sentence]);
      const { document } = await page();
      assert.deepEqual(blocksOf(document, 'map'), []);
    } finally {
      nodeModule.isBuiltin = isBuiltin;
    }
  });
});

function pageOf(url: string): string {
  const query = new URL(url, 'http://localhost').searchParams;
  const from = Number(query.get('dateFrom') ?? 0);
  const to = Number(query.get('dateTo') ?? Infinity);
  const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 100)];
  const own = trades.filter(({ time }) => Number(time) >= from && Number(time) <= to);
  const content = own.slice(page * size, (page + 1) * size);
  return `{"content":${wire(content)},"totalElements":${own.length}}`;
}

/** Damages the tables of trades, and no others. */
function damageRows(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const pages = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name LIKE 'trades%' AND rootpage > 0")
    .all();
  const { page_size: pageSize } = database.prepare('PRAGMA page_size').get() ?? {};
  database.close();
  const bytes = readFileSync(file);
  for (const { rootpage } of pages) {
    const start = (Number(rootpage) - 1) * Number(pageSize);
    bytes.fill(0xff, start, start + Number(pageSize));
  }
  writeFileSync(file, bytes);
}
