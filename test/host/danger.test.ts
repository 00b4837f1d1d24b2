import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AccountSession } from '../../src/account/session/accountSession.ts';
import type { Account } from '../../src/exchange/records.ts';
import { commands, type settings } from '../../src/host/shared/contributions.ts';
import type { AccountTree } from '../../src/host/trees/accountTree.ts';
import type { AccountNode } from '../../src/host/trees/treeRow.ts';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { drawn, activatedExtension, hoverText, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { copiedTexts } from '../support/tablePanelsUnderTest.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const long = '123456789012345678.123456789012';

/** Positions at 3 %, 30 %, 8 % and an unknown distance from their liquidation, as they come. */
const positions = [
  ['calm_usdt', '70'],
  ['none_usdt', null],
  ['near_usdt', '92'],
  ['critical_usdt', '103'],
].map(([symbol, liquidationPrice]) =>
  aPosition({
    symbol: symbol ?? '',
    markPrice: '100',
    liquidationPrice: liquidationPrice ?? null,
    amount: symbol === 'critical_usdt' ? `-${long}` : '2',
  }),
);
const nothing = { isMargin: false, margin: '0', deposited: '0.00', locked: '-0', extra: {} };
const account = anAccount({
  positions,
  assets: [...(anAccount().assets ?? []), { ...nothing, name: 'dust' }],
  orders: [someLocked({ symbol: 'near_usdt' }), someLocked({ symbol: 'eth_usdc' })],
});

describe('positions close to liquidation', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const copied = copiedTexts();
  const access = activatedExtension();
  let session: AccountSession;

  beforeEach(async () => {
    const { url } = await serve((_request, response) => response.end(wire(account)));
    await openAt(access, url);
    session = await access.app.active.session();
  });
  afterEach(async () => {
    for (const key of ['statusBarAlignment', 'hideZeroAssets'] as const)
      await set(`marginDesk.${key}`, undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const set = (key: keyof typeof settings, value: unknown) => writeUserSetting(key, value);
  const labels = (tree: AccountTree): unknown[] => drawn(tree).map(({ label }) => label);
  const row = (tree: AccountTree, label: string): AccountNode =>
    tree.getChildren().find((node) => tree.getTreeItem(node).label === label) ??
    assert.fail(`no row ${label}`);

  const background = (): string | undefined => access.app.statusItem.item.backgroundColor?.id;

  function show(fields: Partial<Account>): void {
    const asOf = Date.now();
    const times = { asOf, readAt: asOf, sentAt: asOf, answeredAt: asOf };
    session.store.replace({ account: { ...account, ...fields }, badRecords: [], ...times });
  }

  it('are counted on the view, and in the status bar with its background', () => {
    const { positions: tree, statusItem } = access.app;
    const tooltip = '1 critical position: within 5 % of liquidation, or past it';
    assert.deepEqual(tree.view.badge, { value: 1, tooltip });
    assert.match(statusItem.item.text, /^TEST .* · \$\(flame\) critical 3 %$/);
    assert.equal(background(), 'statusBarItem.errorBackground');
    assert.match(
      hoverText(statusItem.item.tooltip),
      /^Close to liquidation: 1 critical, 1 near of 4: critical_usdt 3 %$/m,
    );
    show({ positions: positions.slice(0, 3) });
    assert.equal(tree.view.badge, undefined);
    assert.match(statusItem.item.text, /^TEST .* · \$\(warning\) near 8 %$/);
    assert.equal(background(), 'statusBarItem.warningBackground');
    show({ positions: positions.slice(0, 2) });
    assert.equal(background(), undefined);
  });

  it('let assets at zero be hidden, and say how many are', async () => {
    const { assets } = access.app;
    assert.deepEqual(labels(assets), ['usdt', 'dust']);
    await vscode.commands.executeCommand(commands.toggleZeroAssets);
    await eventually('one asset', () => labels(assets).length === 1);
    assert.equal(assets.view.message, '1 asset at zero is hidden.');
    await vscode.commands.executeCommand(commands.toggleZeroAssets);
    await eventually('both assets', () => labels(assets).length === 2);
    assert.equal(assets.view.message, '');
  });

  it('copy a value and a row as the exchange wrote them', async () => {
    const { positions: tree, assets } = access.app;
    const critical = row(tree, 'critical_usdt');
    const field = tree
      .getChildren(critical)
      .find((node) => tree.getTreeItem(node).label === 'Amount');
    await vscode.commands.executeCommand(commands.copyValue, field);
    await vscode.commands.executeCommand(commands.copyRow, critical);
    await vscode.commands.executeCommand(commands.copyRow, row(assets, 'usdt'));
    assert.deepEqual(copied[0], `-${long}`);
    assert.match(copied[1] ?? '', new RegExp(`"symbol": "critical_usdt", .*"amount": -${long},`));
    assert.match(copied[2] ?? '', /"isMargin": true, "margin": 10000, .*"name": "usdt"/);
  });

  it('offer to copy what the exchange sent, and nothing that is computed or unknown', () => {
    const { positions: tree } = access.app;
    const contextOf = (name: string) =>
      drawn(tree, row(tree, 'none_usdt')).find(({ label }) => label === name)?.contextValue;
    assert.deepEqual(
      ['Mark price', 'Liquidation price', 'Distance to liquidation'].map(contextOf),
      ['field', 'note', 'note'],
    );
  });

  it('copy nothing for a missing row', async () => {
    const gone = row(access.app.positions, 'near_usdt');
    show({ positions: [] });
    for (const argument of [gone, undefined, 7, {}, { kind: 'row' }])
      await vscode.commands.executeCommand(commands.copyRow, argument);
    assert.deepEqual(copied, []);
    assert.equal(messages.shown.length, 5);
    assert.match(messages.shown[0]?.text ?? '', /^Nothing was done\. This row no longer exists/);
  });

  it('open what the links of their hover name, also after a poll; none opens for a missing row', async () => {
    const { positions: tree, lockedOrders } = access.app;
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const linksOf = (view: AccountTree, label: string) => {
      const tooltip = view.hover(row(view, label)) ?? assert.fail('no hover');
      return [...tooltip.value.matchAll(/\[([^\]]*)\]\(command:([^?)]*)\?([^)]*)\)/g)].map(
        ([, title = '', command = '', query = '']) => ({
          title,
          command,
          argument: (JSON.parse(decodeURIComponent(query)) as unknown[])[0],
        }),
      );
    };
    const links = linksOf(tree, 'near_usdt');
    const titles = links.map(({ title }) => title);
    assert.deepEqual(titles, ['Order History', 'Trade History', 'Leverage Rules']);
    const orderLinks = linksOf(lockedOrders, 'near_usdt').map(({ title }) => title);
    assert.deepEqual(orderLinks, ['Order History', 'Trade History']);
    show({ equity: '777' });
    for (const [index, title] of [
      'Order History · near_usdt',
      'Trade History · near_usdt',
      'Leverage Rules',
    ].entries()) {
      const { command = '', argument } = links[index] ?? {};
      await vscode.commands.executeCommand(command, argument);
      await eventually(title, () => tabs().some(({ label }) => label.startsWith(title)));
    }
    assert.equal(messages.shown.length, 0);
    show({ positions: [] });
    await vscode.commands.executeCommand(links[0]?.command ?? '', links[0]?.argument);
    assert.match(messages.shown[0]?.text ?? '', /This row no longer exists/);
  });

  it('follow the alignment of the status bar item', async () => {
    const { statusItem } = access.app;
    assert.equal(statusItem.item.alignment, vscode.StatusBarAlignment.Right);
    await set('marginDesk.statusBarAlignment', 'left');
    await eventually(
      'the left',
      () => statusItem.item.alignment === vscode.StatusBarAlignment.Left,
    );
    assert.match(statusItem.item.text, /TEST/);
    await set('marginDesk.statusBarAlignment', 'hidden');
    await eventually(
      'another item',
      () => statusItem.item.alignment !== vscode.StatusBarAlignment.Left,
    );
    show({ equity: '777' });
    assert.doesNotMatch(statusItem.item.text, /777/);
    await set('marginDesk.statusBarAlignment', 'right');
    await eventually('the figures again', () => statusItem.item.text.includes('777'));
  });
});
