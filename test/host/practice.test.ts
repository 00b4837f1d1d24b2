import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sortByRisk } from '../../src/account/session/positionRisk.ts';
import { isNumberText, sign } from '../../src/base/decimal.ts';
import type { TestAccess } from '../../src/extension.ts';
import { commands, settings } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import {
  drawn,
  extensionUnderTest,
  hoverText,
  positionRows,
} from '../support/extensionUnderTest.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { alertsOff } from '../support/userSettings.ts';
import type { DisplayField } from '../../src/base/display.ts';

describe('the practice exchange in the extension host', () => {
  const messages = scriptedMessages();
  let access: TestAccess;

  before(async () => {
    access = await extensionUnderTest();
    await vscode.commands.executeCommand(commands.tryPractice);
    await eventually('the first snapshot', snapshot);
  });

  function snapshot() {
    const { state } = access.app.active;
    return state.kind === 'open' ? state.session.store.state.snapshot : undefined;
  }

  /** Every digit of a figure as this window shows it: the wire's own; what is none, as it is. */
  function full(field: DisplayField, value: unknown): string {
    if (typeof value !== 'string' || !isNumberText(value)) return String(value);
    const shown = access.app.display.current.full(field, value);
    assert.match(value, /^-?\d+(?:\.\d+)?$/, `${field} is not written plainly`);
    assert.equal(shown.replaceAll(',', ''), value);
    return shown;
  }

  it('shows one row per position, sorted by risk', async () => {
    const { account } = await eventually('a snapshot', snapshot);
    const risks = sortByRisk(account.positions, access.app.risk.limits);
    const positions = risks.map(({ position }) => position);
    const rows = positionRows(access);
    assert.ok(positions.length >= 3);
    assert.deepEqual(
      rows.map(({ label }) => label),
      positions.map(({ symbol }) => symbol),
    );
    for (const [index, position] of positions.entries()) {
      const row = rows[index];
      const direction = sign(position.amount) > 0 ? 'long' : 'short';
      assert.match(
        String(row?.description),
        new RegExp(
          `^${direction} .* · \\d+× · ISOLATED · [+−0].* %\\) · [\\d.]+ % to liquidation$`,
        ),
      );
      const arrow = direction === 'long' ? 'arrow-up' : 'arrow-down';
      const icons = { critical: 'flame', near: 'warning', calm: arrow, unknown: arrow };
      assert.equal(
        (row?.iconPath as vscode.ThemeIcon).id,
        icons[risks[index]?.band ?? assert.fail('no band')],
      );
      assert.match(
        hoverText(row?.tooltip),
        new RegExp(`liquidationPrice: ${full('liquidationPrice', position.liquidationPrice)}`),
      );
    }
  });

  it('shows the ten fields of a position below it, in full', async () => {
    const { account } = await eventually('a snapshot', snapshot);
    const [{ position } = assert.fail('no position')] = sortByRisk(
      account.positions,
      access.app.risk.limits,
    );
    const [node] = access.app.positions.getChildren();
    const fields = access.app.positions
      .getChildren(node)
      .map((child) => access.app.positions.getTreeItem(child));
    assert.equal(fields.filter(({ contextValue }) => contextValue === 'field').length, 10);
    const shown = (name: string) => fields.find(({ label }) => label === name)?.description;
    assert.equal(shown('amount'), full('amount', position.amount));
    assert.equal(shown('uplPercentage'), `${full('uplPercentage', position.uplPercentage)} %`);
  });

  it('keeps its rows after a refresh', async () => {
    const ids = () => positionRows(access).map(({ id }) => id);
    const before = ids();
    await vscode.commands.executeCommand(commands.refresh);
    assert.deepEqual(ids(), before);
    assert.equal(new Set(before).size, before.length);
  });

  it('names the account in each view, and says that cancelled orders come back', () => {
    const { positions, assets, lockedOrders } = access.app;
    for (const { view } of [positions, assets, lockedOrders])
      assert.equal(view.description, 'Practice · PRACTICE');
    assert.equal(positions.view.message, '');
    assert.equal(
      lockedOrders.view.message,
      'Practice account. Cancelled orders come back on restart.',
    );
  });

  it('lists assets and what open orders lock, with every field', async () => {
    const { account } = await eventually('a snapshot', snapshot);
    const { assets, lockedOrders } = access.app;
    assert.deepEqual(
      drawn(assets).map(({ label }) => label),
      account.assets.map(({ name }) => name),
    );
    const margin = drawn(assets).find(({ description }) =>
      String(description).includes('margin asset'),
    );
    assert.equal(margin?.label, 'usdt');
    assert.deepEqual(
      drawn(lockedOrders).map(({ label }) => label),
      account.orders.map(({ symbol }) => symbol),
    );
    for (const [tree, records] of [
      [assets, account.assets],
      [lockedOrders, account.orders],
    ] as const) {
      const record = records[0] ?? assert.fail('no record');
      const { extra, ...fields } = record;
      assert.deepEqual(extra, {});
      const shown = drawn(tree, tree.getChildren()[0])
        .filter(({ contextValue }) => contextValue === 'field')
        .map(({ label, description }) => [label, description]);
      const expected = Object.entries(fields).map(([name, value]) => [
        name,
        full(name as DisplayField, value),
      ]);
      assert.deepEqual([...shown].sort(), [...expected].sort());
    }
  });

  it('shows environment and equity in the status bar, the full figure in its hover', async () => {
    const { account } = await eventually('a snapshot', snapshot);
    const { text, tooltip } = access.app.statusItem.item;
    const arrow = { '1': '$(arrow-up)', '0': '', '-1': '$(arrow-down)' }[sign(account.upl)];
    const { display } = access.app;
    const equity = display.current.short('equity', account.equity);
    const upl = display.current.signedShort('upl', account.upl);
    const bands = sortByRisk(account.positions, access.app.risk.limits).map(({ band }) => band);
    const danger = (['critical', 'near'] as const)
      .map((wanted) => ({ wanted, count: bands.filter((band) => band === wanted).length }))
      .filter(({ count }) => count > 0);
    const icon = { critical: 'flame', near: 'warning', none: 'graph-line' }[
      danger[0]?.wanted ?? 'none'
    ];
    const words = danger.map(({ wanted, count }) => ` · ${count} ${wanted}`).join('');
    assert.equal(text, `$(${icon}) PRACTICE ${equity} usdt ${arrow}${upl}${words}`);
    for (const field of ['upl', 'feeTierStructure', 'feeTierDiscount', 'tradeFeeAsset'] as const)
      assert.match(
        hoverText(tooltip),
        new RegExp(`${field}: ${full(field, account[field])}$`, 'm'),
      );
    assert.match(hoverText(tooltip), new RegExp(`equity: ${full('equity', account.equity)} usdt`));
    assert.match(
      hoverText(tooltip),
      /API weight: \d+ \/ 500 \(limit 1,000 per 60 s\), at .*\d\d:\d\d:\d\d\.\d{3} UTC$/m,
    );
    assert.match(hoverText(tooltip), /as of: .* \d{4}-\d\d-\d\d .* UTC/);
  });

  it('is remembered by the window without its address or key', async () => {
    const { workspaceState, globalState } = access.context;
    assert.deepEqual(workspaceState.keys(), ['marginDesk.activeProfile']);
    assert.equal(workspaceState.get('marginDesk.activeProfile'), 'Practice');
    const { profile, credentials } = await access.app.practice.start();
    const kept = JSON.stringify(globalState.keys().map((key) => globalState.get(key)));
    for (const secret of [profile.baseUrl, ...Object.values(credentials)])
      assert.ok(!kept.includes(secret));
    for (const key of Object.keys(settings))
      assert.equal(vscode.workspace.getConfiguration().inspect(key)?.globalValue, alertsOff[key]);
  });

  it('opens only one order history', async () => {
    const tabs = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input }) =>
            input instanceof vscode.TabInputWebview && input.viewType.endsWith('marginDesk.table'),
        );
    await vscode.commands.executeCommand(commands.openOrderHistory);
    await vscode.commands.executeCommand(commands.openOrderHistory);
    const [tab] = await eventually('the panel', () => (tabs().length > 0 ? tabs() : undefined));
    assert.equal(tab?.label, 'Order History · Practice · PRACTICE');
    assert.equal(tabs().length, 1);
    await vscode.window.tabGroups.close(tab);
  });

  it('cancels all: nothing is locked any more', async () => {
    messages.answers.push('Cancel All Orders');
    await vscode.commands.executeCommand(commands.cancelAllOrders);
    assert.match(messages.shown[0]?.detail ?? '', /_usdt: (?:Buy|Sell) /);
    assert.match(
      messages.shown[1]?.text ?? '',
      /^Practice · PRACTICE, \d\d:\d\d:\d\d UTC.*: \d+ orders cancelled\. Nothing is locked now\.$/,
    );
    assert.deepEqual(snapshot()?.account.orders, []);
    assert.match(access.app.lockedOrders.view.message ?? '', /^No open orders\./);
  });

  it('starts again after it exited', async () => {
    const { state } = access.app.active;
    const before = state.kind === 'open' ? state.session : assert.fail(state.kind);
    access.app.practice.dispose();
    await vscode.commands.executeCommand(commands.tryPractice);
    await eventually('a snapshot of another session', () => {
      const now = access.app.active.state;
      return now.kind === 'open' && now.session !== before && now.session.store.state.snapshot;
    });
  });

  it('stays open when it is opened again', async () => {
    const { state } = access.app.active;
    await vscode.commands.executeCommand(commands.tryPractice);
    assert.equal(access.app.active.state, state);
  });
});
