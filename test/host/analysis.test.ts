import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { clientKey } from '../../src/exchange/client.ts';
import type { Interval } from '../../src/base/interval.ts';
import { dayMs, minuteMs } from '../../src/base/time.ts';
import type { Trade } from '../../src/exchange/records.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import type { OpenLedger } from '../../src/host/ledger/openLedger.ts';
import { coverageParts } from '../../src/ledger/coverage/coverageParts.ts';
import type { LedgerHistory } from '../../src/ledger/ledger.ts';
import type { Choices, Document, OpenedDocument } from '../../src/protocol/document.ts';
import type { TablePage } from '../../src/protocol/table.ts';
import { analysisParts } from '../support/analysisParts.ts';
import { anOrder, aTrade } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension } from '../support/extensionUnderTest.ts';
import type { FakePanel } from '../support/fakePanel.ts';
import { pressOnDownloadPage } from '../support/pressDownload.ts';
import { writeUserSetting } from '../support/userSetting.ts';
import { parseCsv } from '../support/parseCsv.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedInput } from '../support/scriptedInput.ts';
import { metaOf } from '../support/testExporter.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';
import { blockOf } from '../support/shownDocument.ts';
import { fakePanels } from '../support/shownReceipts.ts';

/** Of two days that are eleven and twelve days ago: one won, one lost. */
function tradesBefore(now: number) {
  const noon = Math.floor(now / dayMs) * dayMs - 10.5 * dayMs;
  return [
    aTrade({ tradeId: '1', orderId: '11', rpnl: '10.10', side: 'SELL', time: String(noon) }),
    aTrade({ tradeId: '2', orderId: '12', rpnl: '-2.60', time: String(noon - dayMs) }),
    aTrade({ tradeId: '3', orderId: '12', rpnl: '0.10', time: String(noon - dayMs + 1000) }),
  ];
}

describe('the analysis', () => {
  const panels = fakePanels();
  scriptedMessages();
  const input = scriptedInput();
  const folder = folderOfEachTest();
  scriptedProgress();
  const access = activatedExtension();
  const shown = (): OpenLedger | undefined => access.app.ledger.shown.current;

  // Else the practice exchange's own trades would come to those of the test.
  beforeEach(() => writeUserSetting('marginDesk.ledger.keepCurrent', false));
  afterEach(async () => {
    await writeUserSetting('marginDesk.ledger.keepCurrent', undefined);
    await access.app.connection.close();
    await access.app.ledger.profileLedgers.removeOfProfile('Practice');
  });

  const open = (): Thenable<unknown> => vscode.commands.executeCommand(commands.openAnalysis);
  const panel = (): FakePanel =>
    panels.find(({ title }) => title.startsWith('Analysis')) ?? assert.fail('no panel');
  const described = async (choices: Choices = {}): Promise<Document> =>
    ((await panel().ask('document/open', choices)).body as OpenedDocument).document;
  const press = (action: string, at: readonly number[] = []): Promise<unknown> =>
    panel().ask('document/press', { action, at });
  const changed = (isWanted: (document: Document) => boolean): Promise<Document> =>
    eventually('the document', () =>
      panel()
        .posted.filter(({ name }) => name === 'document/changed')
        .map(({ body }) => body as Document)
        .findLast(isWanted),
    );
  const chartOf = (document: Document) =>
    analysisParts(document).charts[0] ?? assert.fail('no chart');

  /** The practice account, whose ledger has these trades and no others. */
  async function practice(isTraded = true): Promise<void> {
    await vscode.commands.executeCommand(commands.tryPractice);
    await eventually('the practice ledger', shown);
    const { store, [clientKey]: client } = await access.app.active.session();
    // Before its first answer, the time of the exchange is that of this machine.
    await eventually('the time of the exchange', () => store.state.snapshot);
    if (!isTraded) return;
    const now = client.serverNow();
    await saveTrades(tradesBefore(now), now);
  }

  async function saveTrades(trades: readonly Trade[], now: number): Promise<void> {
    const { writer } = shown() ?? assert.fail('no ledger');
    // A download would be continued by the account that is open.
    const read = { history: 'trades', from: 0, to: now, asOf: now, purpose: 'current' } as const;
    const { id } = await writer.beginWalk(read);
    await writer.saveStep(id, trades, null);
    await writer.endWalk(id, { completeness: 'complete', reason: null });
  }

  it('opens with the practice ledger and shows its figures', async () => {
    await practice();
    await open();
    assert.match(panel().title, /^Analysis · Practice/);
    const document = await described();
    assert.match(chartOf(document).summary, /^Total \+7\.6 usdt from 3 rows · highest \+10\.1, /);
    assert.deepEqual(
      chartOf(document).data?.series.map(({ values }) => [
        ...new Set(values.filter((value) => value !== null)),
      ]),
      [
        ['-2.5', '10.1'],
        ['0', '-2.5', '7.6'],
      ],
    );
    assert.equal(analysisParts(document).numbers[0]?.title, 'Numbers · usdt (assumed)');
    const { coverage, numbers } = analysisParts(await described({ view: 'realizedPl' }));
    assert.match(coverage?.text ?? '', /^Complete \d{4}-\d\d-\d\d – /);
    assert.deepEqual(numbers, []);
    await open();
    assert.equal(panel().revealed, 1);
  });

  const chosen = ({ from, to }: Interval, view = 'realizedPl'): Choices => {
    return { view, period: `${from}/${to}` };
  };
  const isComplete = (document: Document): boolean =>
    analysisParts(document).coverage?.isComplete === true;

  /** Whether a history is complete where the page asks for it. */
  const wasRead = async (history: LedgerHistory, { from, to }: Interval): Promise<boolean> =>
    coverageParts(history, (await shown()?.writer.coverage(history)) ?? [], { from, to }).every(
      ({ completeness }) => completeness === 'complete',
    );

  it('reads the gaps that it names, also of a history that was never read', async () => {
    await practice(false);
    await open();
    const now = (await access.app.active.session()).serverNow();
    const dates = { from: now - 3 * dayMs, to: now - 2 * dayMs };
    const unread = analysisParts(await described(chosen(dates)));
    assert.equal(unread.coverage?.text, 'Incomplete: 0 of 24 hours · 1 gap');
    await press('fillGaps');
    const offered = await pressOnDownloadPage(access.app.ledger, 'download');
    assert.match(
      blockOf(offered, 'notice').texts[0] ?? '',
      /^Takes (?:at least 1 request|about 4 requests) · weight [14]0/,
    );
    await changed(isComplete);
    assert.deepEqual(
      [await wasRead('trades', dates), await wasRead('futureTransactions', dates)],
      [true, false],
    );
    assert.equal(await wasRead('trades', { from: dates.from - 1, to: dates.from }), false);
  });

  it('lists closed positions, exports what is filtered, and shows what one is made of', async () => {
    await practice(false);
    const now = (await access.app.active.session()).serverNow();
    const traded = (tradeId: string, side: string, amount: string, minutes: number) =>
      aTrade({
        ...{ tradeId, orderId: `9${tradeId}`, symbol: 'own_usdt', side, amount, price: '10' },
        ...{ fee: '0', rpnl: '0', time: String(now - minutes * minuteMs) },
      });
    await saveTrades(
      [
        ...[traded('1', 'BUY', '2', 40), traded('2', 'SELL', '0.5', 30)],
        // It closes one position and opens the next.
        ...[traded('3', 'SELL', '2.5', 20), traded('4', 'BUY', '1', 10)],
      ],
      now,
    );
    const order = anOrder({ orderId: '91', symbol: 'own_usdt', time: String(now - 41 * minuteMs) });
    await shown()?.writer.storeRows('orders', [order], now);
    await vscode.commands.executeCommand(commands.openClosedPositions);
    const choices = { view: 'positions', direction: 'LONG', symbol: 'own_usdt' };
    assert.equal(analysisParts(await described(choices)).grid?.rows.rows.length, 1);

    const file = path.join(folder.path, 'positions.csv');
    input.answers.push('CSV', file);
    await press('export');
    const [header = [], ...rows] = parseCsv(await readFile(file, 'utf8'));
    const cell = (name: string) => rows.map((row) => row[header.indexOf(name)]);
    assert.deepEqual(
      [cell('symbol'), cell('direction'), cell('largest'), cell('fills')],
      [['own_usdt'], ['LONG'], ['2'], ['3']],
    );
    const meta = await metaOf(file);
    assert.deepEqual([meta.rows, meta.operation], [1, 'positions']);
    input.answers.push('Parquet by Month', path.join(folder.path, 'parts'));
    await press('export');
    assert.ok(existsSync(path.join(folder.path, 'parts/account=Practice/operation=positions')));

    const symbolsFile = path.join(folder.path, 'symbols.csv');
    input.answers.push('CSV', symbolsFile);
    await described({ view: 'bySymbol' });
    await press('export');
    const [names = [], ...symbols] = parseCsv(await readFile(symbolsFile, 'utf8'));
    const own = symbols.find((row) => row[names.indexOf('symbol')] === 'own_usdt');
    assert.equal(own?.[names.indexOf('positions')], '2');

    // The page has another result once more of the ledger was read.
    const { button } = analysisParts(await described(choices)).grid ?? assert.fail('no grid');
    await press(button?.action ?? '', [0]);
    const tablesOf = async (title: string) => {
      const page = panels.findLast((each) => each.title.startsWith(title)) ?? assert.fail(title);
      const { document: of } = (await page.ask('document/open', null)).body as OpenedDocument;
      return of.sections.map(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === 'table' ? [block] : [])),
      );
    };
    const [[orders, fills, funding] = []] = await tablesOf('Position');
    assert.deepEqual([orders?.rows.length, fills?.rows.length, funding?.rows.length], [1, 3, 0]);
    const [first] = fills?.rows.at(-1) ?? [];
    const before = panels.length;
    const position = panels.findLast(({ title }) => title.startsWith('Position'));
    await position?.ask('document/press', { action: first?.button?.action ?? '', at: [] });
    const trades = await eventually('the panel of trades', () => panels[before]);

    // The trade that crosses zero is in both.
    const read = {
      filters: { symbol: 'own_usdt' },
      page: 0,
      size: 20,
      ledger: { search: '', sort: null },
    };
    const { id, rows: cells } = (await trades.ask('table/page', read)).body as TablePage;
    const row = cells.findIndex((each) => each.includes('2.5'));
    await trades.ask('table/openPosition', { pageId: id, row });
    assert.equal((await tablesOf('Position')).length, 2);
  });
});
