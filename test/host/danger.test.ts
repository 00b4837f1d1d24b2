import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AccountSession } from '../../src/account/session/accountSession.ts';
import type { Account, BadRecord, Position } from '../../src/exchange/records.ts';
import { commands, type settings } from '../../src/host/shared/contributions.ts';
import type { AccountTree } from '../../src/host/trees/accountTree.ts';
import type { AccountNode } from '../../src/host/trees/treeRow.ts';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import {
  drawn,
  recordNodes,
  activatedExtension,
  hoverText,
  openAt,
  inPrivacy,
} from '../support/extensionUnderTest.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
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
    basePrice: symbol === 'calm_usdt' ? '101' : '98',
    amount: symbol === 'critical_usdt' ? `-${long}` : '2',
    upl: symbol === 'calm_usdt' ? '-1.5' : '12.5',
  }),
);
const nothing = { isMargin: false, margin: '0', deposited: '0.00', locked: '-0', extra: {} };
const account = anAccount({
  positions,
  assets: [...(anAccount().assets ?? []), { ...nothing, name: 'dust' }],
  orders: [someLocked({ symbol: 'near_usdt' }), someLocked({ symbol: 'eth_usdc' })],
});

const information =
  '{"rateLimits":[],"timezone":"UTC","serverTime":1763632800123,"symbols":[' +
  [
    ['near_usdt', 'usdt'],
    ['eth_usdc', 'usdc'],
  ]
    .map(
      ([symbol, asset]) =>
        `{"symbol":"${symbol}","marginAsset":"${asset}","baseAsset":"X","pair":"X/Y",` +
        `"quoteAsset":"${asset}","status":"TRADING"}`,
    )
    .join(',') +
  ']}';
const rules =
  '[{"leverage":4,"positionNotional":4000000,"maintenanceMargin":14,"initialMargin":24},' +
  '{"leverage":5,"positionNotional":1000000,"maintenanceMargin":10,"initialMargin":20},' +
  '{"leverage":50,"positionNotional":50000.50,"maintenanceMargin":1,"initialMargin":2}]';

describe('positions close to liquidation', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const env = vscode.env as unknown as Record<string, unknown>;
  const { clipboard } = vscode.env;
  const access = activatedExtension();
  let server: HostileServer;
  let session: AccountSession;
  let copied: string[];

  beforeEach(async () => {
    copied = [];
    Object.defineProperty(env, 'clipboard', {
      configurable: true,
      value: { writeText: (text: string) => Promise.resolve(copied.push(text) > 0) },
    });
    server = await serve((request, response) => {
      if (request.url?.includes('exchangeInfo')) response.end(information);
      else if (request.url?.includes('leverage')) response.end(rules);
      else response.end(wire(account));
    });
    await openAt(access, server.url);
    session = await access.app.active.session();
  });
  afterEach(async () => {
    Object.defineProperty(env, 'clipboard', { configurable: true, value: clipboard });
    for (const key of ['nearPercent', 'criticalPercent', 'statusBarAlignment', 'hideZeroAssets'])
      await set(`marginDesk.${key}` as keyof typeof settings, undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const set = (key: keyof typeof settings, value: unknown) => writeUserSetting(key, value);
  const labels = (tree: AccountTree): unknown[] => drawn(tree).map(({ label }) => label);
  const row = (tree: AccountTree, label: string): AccountNode =>
    tree.getChildren().find((node) => tree.getTreeItem(node).label === label) ??
    assert.fail(`no row ${label}`);
  const item = (label: string): vscode.TreeItem =>
    access.app.positions.getTreeItem(row(access.app.positions, label));

  const background = (): string | undefined => access.app.statusItem.item.backgroundColor?.id;

  function show(fields: Partial<Account>, ageMs = 0, badRecords: readonly BadRecord[] = []): void {
    const asOf = Date.now() - ageMs;
    session.store.replace({
      account: { ...account, ...fields },
      badRecords,
      asOf,
      readAt: asOf,
      sentAt: asOf,
      answeredAt: asOf,
    });
  }

  it('are sorted by distance to liquidation, unknown ones last', () => {
    assert.deepEqual(labels(access.app.positions), [
      'critical_usdt',
      'near_usdt',
      'calm_usdt',
      'none_usdt',
    ]);
    assert.equal(
      item('critical_usdt').description,
      'Short +12… (+0.5 %) · liq 3 % · size 123,456,789,012M…',
    );
    assert.equal(item('none_usdt').description, 'Long +12… (+0.5 %) · liq — · size 2');
  });

  it('show danger by icon, colour and word, and nothing else by icon', () => {
    const shown = positions.map(({ symbol }) => {
      const { iconPath, accessibilityInformation } = item(symbol);
      const icon = iconPath as vscode.ThemeIcon | undefined;
      const word = accessibilityInformation?.label.split(', ')[1];
      return [symbol, icon?.id, icon?.color?.id, word];
    });
    assert.deepEqual(shown, [
      ['calm_usdt', 'blank', undefined, 'not near liquidation'],
      ['none_usdt', 'blank', undefined, 'distance unknown'],
      ['near_usdt', 'warning', 'list.warningForeground', 'near liquidation'],
      ['critical_usdt', 'flame', 'marginDesk.criticalForeground', 'critical'],
    ]);
  });

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

  it('follow the limits at once', async () => {
    const { positions: tree, risk } = access.app;
    await set('marginDesk.criticalPercent', 8);
    await eventually('the limits', () => risk.limits.criticalPercent === 8);
    assert.equal(tree.view.badge?.value, 2);
  });

  it('have each figure in full in their hover, even if they are critical', async () => {
    const { positions: tree } = access.app;
    const hovered = async (fields: Partial<Position>): Promise<string[]> => {
      show({ positions: [aPosition({ symbol: 'x_usdt', markPrice: '100', ...fields })] });
      const node = row(tree, 'x_usdt');
      const { tooltip } = await tree.resolveTreeItem(new vscode.TreeItem(''), node);
      return hoverText(tooltip).split('\n');
    };
    const lines = await hovered({
      amount: `-${long}`,
      leverage: '50',
      liquidationPrice: '102.9000000000000000000000000010',
      upl: '-0.000000000000000000000001',
      uplPercentage: '-12.3400',
      lockedBalance: '987654321987654321.000000000000000001',
      basePrice: '99.99999999999999999999',
    });
    const grouped = '123,456,789,012,345,678.123456789012';
    const estimate = '12,345,678,901,234,567,812.3456789012';
    assert.deepEqual(lines.slice(0, -2), [
      'x_usdt: Short · 50× · ISOLATED',
      'Unrealised P&L: −0.000000000000000000000001 (ROE −12.3400 %)',
      `Amount: −${grouped} (direction inferred from its sign and from P&L)`,
      `Notional (est.): ${estimate}`,
      'Entry price: 99.99999999999999999999',
      'Mark price: 100',
      'Liquidation price — 2.9 % away: 102.9000000000000000000000000010',
      'Locked balance: 987,654,321,987,654,321.000000000000000001',
      'Limit at 50×: 50,000.50 · maintenance 1 % · initial 2 %',
    ]);
    assert.match(lines.at(-2) ?? '', /^Read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\S*$/);
    assert.ok(lines.length <= 12);
    assert.ok((await hovered({ leverage: '7' })).includes('Limit at 7×: none listed'));
    assert.equal(server.requests.filter(({ path }) => path.includes('leverage')).length, 1);
    const unknown = await hovered({ liquidationPrice: null });
    assert.ok(unknown.includes('Liquidation price — distance unknown: —'));
    const past = await hovered({ amount: '2', liquidationPrice: '110.00' });
    assert.ok(past.includes('Liquidation price — 10 % past: 110.00'));
  });

  it('have at most twelve lines in every hover, even if everything is wrong', async () => {
    const problem = { path: '$.upl', problem: 'broken' } as unknown as BadRecord;
    const orders = Array.from({ length: 30 }, (_, index) =>
      someLocked({ symbol: `${'long'.repeat(10)}${index}_usdt` }),
    );
    await inPrivacy(access, () => {
      show({ orders, upl: null }, 3 * 60_000, [problem, problem]);
      session.store.fail(new Error('unknown'));
      const { positions: tree, assets, lockedOrders, statusItem } = access.app;
      const tooltips = [tree, assets, lockedOrders].flatMap((one) =>
        recordNodes(one).map((node) => one.hover(node)),
      );
      const lineCounts = [...tooltips, statusItem.item.tooltip].map(
        (tooltip) => hoverText(tooltip).trim().split('\n').length,
      );
      assert.ok(lineCounts.length > 30);
      assert.ok(Math.max(...lineCounts) <= 12, String(lineCounts));
      assert.ok(Math.min(...lineCounts) >= 5, String(lineCounts));
    });
  });

  it('keep their identity within a symbol, whichever is closer to liquidation', () => {
    const { positions: tree } = access.app;
    const two = (longAt: string, shortAt: string) => [
      aPosition({ symbol: 'twin', amount: '2', markPrice: '100', liquidationPrice: longAt }),
      aPosition({ symbol: 'twin', amount: '-3', markPrice: '100', liquidationPrice: shortAt }),
    ];
    const amounts = () =>
      recordNodes(tree).map((node) => {
        const amount = tree
          .getChildren(node)
          .find((one) => tree.getTreeItem(one).label === 'Amount');
        return [node, amount && tree.getTreeItem(amount).description] as const;
      });
    show({ positions: two('97', '130') });
    const [long, short] = amounts();
    assert.deepEqual([long?.[1], short?.[1]], ['2', '−3']);
    show({ positions: two('70', '103') });
    const moved = amounts();
    const found = moved.map(([node, amount]) => [node === long?.[0], amount]);
    assert.deepEqual(found, [
      [false, '−3'],
      [true, '2'],
    ]);
  });

  it('are marked stale with their age in views, badge, hovers and status bar; the last figures stay', () => {
    const { positions: tree, assets, lockedOrders, statusItem } = access.app;
    show({}, 3 * 60_000 + 500);
    const head = () => tree.getTreeItem(tree.getChildren()[0] ?? assert.fail('no head'));
    assert.equal(head().label, 'TEST · Mine');
    assert.equal(head().description, '3 min old · 12k… · +12…');
    for (const { view } of [assets, lockedOrders])
      assert.deepEqual([view.description, view.message], ['TEST · Mine · stale, 3 min', '']);
    assert.equal(
      tree.view.badge?.tooltip,
      '1 critical position: within 5 % of liquidation, or past it · stale, 3 min',
    );
    // Before all figures: a hover that is too long for the window is cut at its end.
    const stale = /^Stale: 3 min old, read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/;
    assert.match(hoverText(tree.hover(row(tree, 'near_usdt'))), stale);
    const spoken = () => tree.getTreeItem(row(tree, 'near_usdt')).accessibilityInformation?.label;
    assert.match(spoken() ?? '', /^near_usdt, stale: 3 min old, /);
    assert.equal(labels(tree).length, 4);
    assert.equal(statusItem.item.text, 'TEST 12,012.5 · $(flame) critical 3 % · 3 min old');
    assert.equal(background(), 'statusBarItem.errorBackground');
    assert.match(hoverText(statusItem.item.tooltip), stale);
    session.store.fail(new Error('unknown'));
    assert.match(String(tree.view.message), /^Something went wrong /);
    for (const { view } of [assets, lockedOrders]) assert.equal(view.message, '');
    assert.match(statusItem.item.text, / · 3 min old$/);
    show({ positions: [] }, 3 * 60_000 + 500);
    assert.equal(statusItem.item.text, 'TEST 12,012.5 · 3 min old');
    assert.equal(background(), 'statusBarItem.warningBackground');
    show({});
    assert.deepEqual([head().description, tree.view.message], ['12k… · +12…', '']);
    assert.doesNotMatch(statusItem.item.text, / old/);
    assert.doesNotMatch(spoken() ?? '', /stale/);
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

  it('ask once before a hidden value is copied', async () => {
    await inPrivacy(access, async () => {
      const node = row(access.app.positions, 'near_usdt');
      await vscode.commands.executeCommand(commands.copyRow, node);
      assert.deepEqual([copied.length, messages.shown[0]?.modal], [0, true]);
      messages.answers.push('Copy Real Values');
      await vscode.commands.executeCommand(commands.copyRow, node);
      assert.equal(copied.length, 1);
    });
  });

  it('open the histories of their symbol, and the leverage rules', async () => {
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    for (const [command, title] of [
      [commands.openSymbolOrders, 'Order History · near_usdt'],
      [commands.openSymbolTrades, 'Trade History · near_usdt'],
      [commands.openSymbolLots, 'Liquidation Auctions · near_usdt'],
      [commands.openPositionLeverageRule, 'Leverage Rules'],
    ] as const) {
      await vscode.commands.executeCommand(command, row(access.app.positions, 'near_usdt'));
      await eventually(title, () => tabs().some(({ label }) => label.startsWith(title)));
    }
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
