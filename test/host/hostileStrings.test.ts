import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { drawn, activatedExtension, openAt, recordNodes } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

const hostile = [
  '[x](command:workbench.action.quit)',
  '$(trash)',
  '<img src=x onerror=alert(1)>',
  'https://evil.example/login',
  'www.evil.example',
  'a@evil.example',
  'a\u202eb\u0007c\u001b]8;;d',
  '1. # **bold** `code` | --- |',
  '| a | b |)](command:workbench.action.quit)',
];

describe('hostile strings', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const access = activatedExtension();

  async function openWith(text: string): Promise<void> {
    const [asset] = anAccount().assets ?? [];
    const account = anAccount({
      positions: [aPosition({ symbol: text, marginMode: text })],
      assets: [{ ...(asset ?? assert.fail('no asset')), name: text }],
      orders: [someLocked({ symbol: text })],
      tradeFeeAsset: text,
    });
    const refusal = JSON.stringify({ code: text, message: text });
    const server = await serve(({ method }, response) => {
      if (method === 'DELETE') response.writeHead(500).end(refusal);
      else response.end(wire(account));
    });
    await openAt(access, server.url, { name: text.slice(0, 40) });
  }

  for (const text of hostile) {
    it(`are plain text everywhere: ${JSON.stringify(text)}`, async () => {
      await openWith(text);
      const { positions, assets, lockedOrders, statusItem } = access.app;
      for (const tree of [positions, assets, lockedOrders]) {
        const row = drawn(tree)[0] ?? assert.fail('no row');
        for (const shown of [row.label, row.description, row.accessibilityInformation?.label])
          assertVisible(shown);
        assertInert(row.tooltip, rowCommandIds);
        for (const field of drawn(tree, recordNodes(tree)[0])) assertVisible(field.description);
      }
      assertInert(statusItem.item.tooltip, [
        commands.openOverview,
        ...[commands.refresh, commands.cancelAllOrders, commands.switchProfile],
      ]);
      const icons = statusItem.item.text.match(/\$\([^)]*\)/g) ?? [];
      assert.deepEqual(icons, []);
      await vscode.commands.executeCommand(commands.cancelAllOrders);
      const [question] = messages.shown;
      assertVisible((question?.detail ?? '').replaceAll('\n', ''));
      assert.doesNotMatch(question?.text ?? '', /\]\(/);
    });
  }
});

/** No control, bidirectional or invisible character. */
function assertVisible(text: unknown): void {
  assert.ok(typeof text === 'string');
  assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\u2028\u2029]/u);
}

/** The commands that the hovers of rows may run. */
const rowCommandIds = [
  ...[commands.openSymbolOrders, commands.openSymbolTrades, commands.openPositionLeverageRule],
  ...[commands.openTransactionHistory, commands.openExchangeInformation],
];

/**
 * Two cells in each line of the table, and no link, image, icon, HTML or formatting once VS Code renders
 * the Markdown, except our links in the last line.
 */
function assertInert(tooltip: vscode.TreeItem['tooltip'], allowed: readonly string[]): void {
  assert.ok(tooltip instanceof vscode.MarkdownString);
  assert.ok(!tooltip.supportHtml && !tooltip.supportThemeIcons);
  const { isTrusted } = tooltip;
  assert.ok(typeof isTrusted === 'object');
  assert.ok(isTrusted.enabledCommands.every((command) => allowed.includes(command)));
  const lines = tooltip.value.split('\n');
  const links = lines.pop() ?? '';
  const link = /^\[[A-Z][A-Za-z …]+\]\(command:(marginDesk\.\w+)(?:\?[\w%.!~*'-]+)?\)$/;
  for (const one of links.split(' · ')) assert.match(one, link);
  for (const line of lines.filter((one) => one.startsWith('|')))
    assert.equal(line.split('|').length - 1, 3, line);
  const unescaped = lines
    .filter((line) => line !== '| :-- | :-- |')
    .join('\n')
    .replace(/\\[\\`*_{}[\]()#+\-!~|<>.]/g, '')
    .replace(/&#\d+;/g, '');
  assert.doesNotMatch(unescaped, /https?:|www\.|@|[[\]`*<]|!\[/);
}
