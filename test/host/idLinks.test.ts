import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { recordLine } from '../../src/host/ids/storedRecords.ts';
import { terminalIds } from '../../src/host/ids/idLinks.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { anAccount, anOrder, aTrade, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, hoverText, inPrivacy, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { ledgerInThisThread, saveRecords } from '../support/ledgerUnderTest.ts';
import { LedgerOfPanel } from '../support/panelLedger.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { fakePanels } from '../support/shownReceipts.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const setting = 'marginDesk.ledger.linkIds';
const order = anOrder({ orderId: '81763632800123', filled: '1' });
const trade = aTrade({ tradeId: '7', orderId: order.orderId, amount: '0.5', fee: '0.025' });
const line = `order ${order.orderId}, trade 7, trade 8, 999999999999 and ${order.clientOrderId}`;

describe('ids in terminals and editors', () => {
  const serve = serversOfEachTest();
  const panels = fakePanels();
  const messages = scriptedMessages();
  const input = scriptedInput();
  const folder = folderOfEachTest();
  const access = activatedExtension();
  let ledger: LedgerCalls;

  beforeEach(async () => {
    const { url } = await serve((_request, response) => void response.end(wire(anAccount())));
    await openAt(access, url);
    ledger = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    saveRecords(ledger, 'orders', [order]);
    saveRecords(ledger, 'trades', [trade]);
    access.app.ledger.shown.show(new LedgerOfPanel(ledger).current);
  });
  afterEach(async () => {
    access.app.ledger.shown.show(undefined);
    ledger.close();
    await writeUserSetting(setting, undefined);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  async function documentOf(content: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument({ language: 'log', content });
    await vscode.window.showTextDocument(document);
    return document;
  }
  async function linksIn(document: vscode.TextDocument): Promise<readonly vscode.DocumentLink[]> {
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    return links.filter(({ target }) => target?.path === commands.findId);
  }
  async function hoverAt(document: vscode.TextDocument, text: string): Promise<string> {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      document.positionAt(document.getText().indexOf(text) + 1),
    );
    const [content] = hovers.flatMap(({ contents }) => contents);
    return hoverText(content as vscode.MarkdownString | undefined);
  }
  /** The row that a press opened. */
  async function openedRow() {
    const panel = await eventually('a panel', () => panels.at(-1));
    const { source, areDetailsOpen, initialFilters } = await panel.describe();
    assert.deepEqual([source, areDetailsOpen], ['ledger', true]);
    const query = { filters: initialFilters, page: 0, size: 20_000 };
    const page = await panel.ask('table/page', { ...query, ledger: { search: '', sort: null } });
    return { title: panel.title, startRow: (page.body as { startRow?: number }).startRow };
  }

  it('are links of an editor if the ledger has them, which open the row', async () => {
    const document = await documentOf(`${line}\n`);
    const links = await linksIn(document);
    assert.deepEqual(links.map(({ range }) => document.getText(range)).toSorted(), [
      ...[order.clientOrderId, '7', order.orderId].toSorted(),
    ]);
    const link = links.find(({ range }) => document.getText(range) === '7') ?? assert.fail();
    assert.equal(link.tooltip, 'Show Row');
    await vscode.commands.executeCommand(
      link.target?.path ?? '',
      ...(JSON.parse(link.target?.query ?? '') as unknown[]),
    );
    assert.deepEqual(await openedRow(), { title: 'Trade History · btc_usdt', startRow: 0 });
  });

  it('have a hover with what belongs to them, in which privacy hides amounts', async () => {
    const document = await documentOf(line);
    const hover = await hoverAt(document, order.clientOrderId ?? '');
    assert.match(hover, /Order 81763632800123 · btc_usdt · BUY · PARTIALLY_EXECUTED/);
    assert.match(hover, /Trade 7 · btc_usdt · BUY · taker .* 0\.5 .* 0\.025 usdt/);
    assert.doesNotMatch(hover, /Show Row/);
    assert.equal(await hoverAt(document, '999999999999'), '');
    await inPrivacy(access, async () => {
      const hidden = await hoverAt(document, order.orderId);
      assert.match(hidden, /•••/);
      assert.doesNotMatch(hidden, /0\.5\b|0\.025/);
    });
  });

  it('are links of a terminal with a line about the record, which open the row', async () => {
    const { display, log } = access.app;
    const { shown } = access.app.ledger;
    const stored: string[] = [];
    const terminal = terminalIds({
      ledger: shown,
      display,
      log,
      show: ({ record }) => void stored.push('tradeId' in record ? record.tradeId : ''),
    });
    const { token } = new vscode.CancellationTokenSource();
    const links = await terminal.provideTerminalLinks({ line }, token);
    const texts = links.map(({ startIndex, length, tooltip = '' }) => [
      line.slice(startIndex, startIndex + length),
      tooltip.replace(/ · [^·]+$/, ''),
    ]);
    const ofOrder = 'Order · btc_usdt · BUY 2 · PARTIALLY_EXECUTED';
    assert.deepEqual(texts, [
      [order.orderId, ofOrder],
      ['7', 'Trade · btc_usdt · BUY 0.5'],
      [order.clientOrderId, ofOrder],
    ]);
    assert.ok(links[1]);
    await terminal.handleTerminalLink(links[1]);
    assert.deepEqual(stored, ['7']);
  });

  it('of several symbols have a hover with the record of each, and ask which row to open', async () => {
    const other = aTrade({ ...trade, symbol: 'eth_usdt', orderId: '5', time: '1763632900000' });
    saveRecords(ledger, 'trades', [trade, other]);
    const hover = await hoverAt(await documentOf(line), '7,');
    assert.match(hover, /Trade 7 · eth_usdt[^]*Trade 7 · btc_usdt/);
    const label = recordLine({ history: 'trades', record: other }, access.app.display.latest());
    input.answers.push('7', label);
    await vscode.commands.executeCommand(commands.findId);
    assert.deepEqual(await openedRow(), { title: 'Trade History · eth_usdt', startRow: 0 });
    assert.equal(input.asked[1]?.title, 'Go to Order or Trade by Id');
  });

  it('are no links without a ledger, or after that was turned off', async () => {
    const document = await documentOf(line);
    assert.equal((await linksIn(document)).length, 3);
    await writeUserSetting(setting, false);
    await eventually('no links', async () => (await linksIn(document)).length === 0);
    assert.equal(await hoverAt(document, order.orderId), '');
    await writeUserSetting(setting, undefined);
    await eventually('the links', async () => (await linksIn(document)).length === 3);
    access.app.ledger.shown.show(undefined);
    assert.deepEqual(await linksIn(document), []);
  });

  it('have hovers only in a document above 1 MB', async () => {
    const document = await documentOf(`${line}\n${'x'.repeat(2 ** 20)}`);
    assert.deepEqual(await linksIn(document), []);
    assert.match(await hoverAt(document, order.orderId), /Order 81763632800123/);
  });

  it('are found by a command, which says what is missing', async () => {
    input.answers.push(' 7 ');
    await vscode.commands.executeCommand(commands.findId);
    assert.deepEqual(await openedRow(), { title: 'Trade History · btc_usdt', startRow: 0 });
    input.answers.push('8');
    await vscode.commands.executeCommand(commands.findId);
    await eventually('the reason', () => messages.shown.length > 0);
    assert.match(messages.shown[0]?.text ?? '', /no order, trade or transaction with the id 8\.$/);
  });
});
