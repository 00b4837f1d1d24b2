import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isNumberText } from '../../src/base/decimal.ts';
import type { TestAccess } from '../../src/extension.ts';
import { commands, settings } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { drawn, extensionUnderTest } from '../support/extensionUnderTest.ts';
import { furtherKeysOf, storedText } from '../support/storedText.ts';
import { alertsOff } from '../support/userSettings.ts';
import type { DisplayField } from '../../src/base/fieldPrivacy.ts';

describe('the practice exchange in the extension host', () => {
  let access: TestAccess;

  before(async () => {
    access = await extensionUnderTest();
    await vscode.commands.executeCommand(commands.tryPractice);
    await eventually('the first snapshot', snapshot);
  });

  after(() => access.app.connection.close());

  function snapshot() {
    const { state } = access.app.active;
    return state.kind === 'open' ? state.session.store.state.snapshot : undefined;
  }

  /** Every digit of a figure as this window shows it: the wire's own; what is none, as it is. */
  function full(field: DisplayField, value: unknown): string {
    if (typeof value !== 'string' || !isNumberText(value)) return String(value);
    const shown = access.app.display.current.full(field, value);
    assert.match(value, /^-?\d+(?:\.\d+)?$/, `${field} is not written plainly`);
    assert.equal(shown.replaceAll(',', '').replace('−', '-'), value);
    return shown;
  }

  it('opens the overview beside the views', async () => {
    assert.equal(access.app.overview.visible, true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('names the account in each view, and says that cancelled orders come back', () => {
    const { positions, assets, lockedOrders } = access.app;
    const [head] = positions.getChildren();
    assert.equal(head && positions.getTreeItem(head).label, 'Practice');
    for (const { view } of [assets, lockedOrders]) assert.equal(view.description, 'Practice');
    assert.equal(positions.view.message, '');
    assert.equal(
      lockedOrders.view.message,
      'Practice account. Cancelled orders come back on restart.',
    );
  });

  it('lists assets and what open orders lock, with every field', async () => {
    const { account } = await eventually('a snapshot', snapshot);
    const { assets, lockedOrders } = access.app;
    const labels = drawn(assets).map(({ label }) => label);
    assert.deepEqual(
      labels,
      account.assets?.map(({ name }) => name),
    );
    const locked = drawn(assets).find(
      ({ iconPath }) => (iconPath as vscode.ThemeIcon).id === 'lock',
    );
    assert.equal(locked?.label, 'usdt');
    const found = drawn(lockedOrders).map(({ label }) => label);
    assert.deepEqual(
      found,
      account.orders?.map(({ symbol }) => symbol),
    );
    const asset = account.assets?.[0] ?? assert.fail('no asset');
    const shown = assets
      .getChildren(assets.getChildren()[0])
      .flatMap((node) => (node.kind === 'field' ? [node.field] : []))
      .flatMap(([, value, name]) => (name === undefined ? [] : [[name, value]]));
    const { extra, isMargin, ...fields } = asset;
    assert.deepEqual(extra, {});
    const expected = Object.entries(fields).map(([name, value]) => [
      name,
      full(name as DisplayField, value),
    ]);
    assert.deepEqual(
      [...shown].sort(),
      [...expected, ['isMargin', isMargin ? 'yes' : 'no']].sort(),
    );
  });

  it('shows what each side of the open orders of a symbol locks, with every digit', async () => {
    const { account } = await eventually('a snapshot', snapshot);
    const { lockedOrders } = access.app;
    const [order = assert.fail('no orders')] = account.orders ?? [];
    const sides = [
      ['Buy', full('sumSizeBid', order.sumSizeBid), full('lockedBid', order.lockedBid)],
      ['Sell', full('sumSizeAsk', order.sumSizeAsk), full('lockedAsk', order.lockedAsk)],
    ].filter(([, size]) => size !== '0');
    const shown = drawn(lockedOrders, lockedOrders.getChildren()[0]);
    assert.deepEqual(
      shown.map(({ label, description }) => [label, description]),
      sides.map(([label, size, locked]) => [label, `${size} · ${locked} locked`]),
    );
  });

  it('shows its danger inside the view only', async () => {
    const { positions, statusItem } = access.app;
    const { account } = await eventually('a snapshot', snapshot);
    const [first] = account.positions ?? [];
    const { state } = access.app.active;
    if (!first || state.kind !== 'open') assert.fail('no position');
    const { store, profile } = state.session;
    assert.equal(profile.environment, 'practice');
    const critical = { ...first, amount: '1', markPrice: '100', liquidationPrice: '99' };
    store.replace({
      account: { ...account, positions: [critical] },
      badRecords: [],
      asOf: Date.now(),
      readAt: Date.now(),
      sentAt: Date.now(),
      answeredAt: Date.now(),
    });
    const [row] = drawn(positions);
    assert.equal((row?.iconPath as vscode.ThemeIcon | undefined)?.id, 'flame');
    assert.equal(positions.view.badge, undefined);
    assert.equal(statusItem.item.backgroundColor, undefined);
    assert.match(statusItem.item.text, /^PRACTICE [\d,.]+…? [+−]?[\d,.]+…?$/);
  });

  it('needs no test to know its API conventions', async () => {
    const { client } = await access.app.active.session();
    const sources = client.conventions.resolved.map(({ source }) => source);
    assert.deepEqual(new Set(sources), new Set(['set']));
    const before = client.conventions.learned.findings;
    await client.probeConventions();
    assert.deepEqual(client.conventions.learned.findings, before);
    assert.equal(client.conventions.learned.probe?.weight, 0);
  });

  it('is remembered by the window without its address or key', async () => {
    const { workspaceState, globalState } = access.context;
    assert.equal(workspaceState.get('marginDesk.activeProfile'), 'Practice');
    assert.deepEqual(furtherKeysOf(workspaceState), []);
    const { profile, credentials } = await access.app.connection.practice.start();
    const kept = [workspaceState, globalState].map(storedText).join();
    for (const secret of [profile.baseUrl, ...Object.values(credentials)])
      assert.ok(!kept.includes(secret));
    for (const key of Object.keys(settings))
      assert.equal(vscode.workspace.getConfiguration().inspect(key)?.globalValue, alertsOff[key]);
  });

  it('starts again after it exited', async () => {
    const { state } = access.app.active;
    const before = state.kind === 'open' ? state.session : assert.fail(state.kind);
    access.app.connection.practice.dispose();
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
