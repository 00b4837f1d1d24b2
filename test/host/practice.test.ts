import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isNumberText } from '../../src/base/decimal.ts';
import type { TestAccess } from '../../src/extension.ts';
import { commands, settings } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { drawn, extensionUnderTest } from '../support/extensionUnderTest.ts';
import { alertsOff } from '../support/userSettings.ts';
import type { DisplayField } from '../../src/base/display.ts';

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
    assert.equal(shown.replaceAll(',', ''), value);
    return shown;
  }

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
    const labels = drawn(assets).map(({ label }) => label);
    assert.deepEqual(
      labels,
      account.assets?.map(({ name }) => name),
    );
    const margin = drawn(assets).find(({ description }) =>
      String(description).includes('margin asset'),
    );
    assert.equal(margin?.label, 'usdt');
    const found = drawn(lockedOrders).map(({ label }) => label);
    assert.deepEqual(
      found,
      account.orders?.map(({ symbol }) => symbol),
    );
    for (const [tree, records] of [
      [assets, account.assets],
      [lockedOrders, account.orders],
    ] as const) {
      const record = records?.[0] ?? assert.fail('no record');
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
