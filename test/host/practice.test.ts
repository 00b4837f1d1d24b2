import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import { sign } from '../../src/base/decimal.ts';
import { glance, grouped } from '../../src/base/format.ts';
import { commands, settings } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest, hoverText, positionRows } from '../support/extensionUnderTest.ts';

describe('the practice exchange in the extension host', () => {
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

  it('is drawn as one row a position, from the snapshot', async () => {
    const positions = (await eventually('a snapshot', snapshot)).account.positions;
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
        new RegExp(`^[+−0].* %\\) · ${direction} .* · ×\\d+ · ISOLATED$`),
      );
      assert.equal(
        (row?.iconPath as vscode.ThemeIcon).id,
        direction === 'long' ? 'arrow-up' : 'arrow-down',
      );
      assert.match(
        hoverText(row?.tooltip),
        new RegExp(`liquidationPrice: ${position.liquidationPrice}`),
      );
    }
  });

  it('has the ten fields of a position below it, with every digit', async () => {
    const [position] = (await eventually('a snapshot', snapshot)).account.positions;
    const [node] = access.app.positions.getChildren();
    const fields = access.app.positions
      .getChildren(node)
      .map((child) => access.app.positions.getTreeItem(child));
    assert.equal(fields.length, 10);
    const shown = (name: string) => fields.find(({ label }) => label === name)?.description;
    assert.equal(shown('amount'), position?.amount);
    assert.equal(shown('uplPercentage'), `${position?.uplPercentage} %`);
  });

  it('keeps its rows’ identity over a refresh', async () => {
    const ids = () => positionRows(access).map(({ id }) => id);
    const before = ids();
    await vscode.commands.executeCommand(commands.refresh);
    assert.deepEqual(ids(), before);
    assert.equal(new Set(before).size, before.length);
  });

  it('says in the view whose figures these are, and that cancelled orders return', () => {
    assert.equal(
      access.app.positions.view.message,
      'Practice · PRACTICE — Made-up money. Orders that you cancel return when this exchange restarts.',
    );
  });

  it('shows environment and equity in the status bar, the full figure in its hover', async () => {
    const { account } = await eventually('a snapshot', snapshot);
    const { text, tooltip } = access.app.equity.item;
    assert.equal(text, `$(graph-line) PRACTICE ${grouped(glance(account.equity))} usdt`);
    assert.match(hoverText(tooltip), new RegExp(`equity: ${account.equity} usdt`));
    assert.match(hoverText(tooltip), /as of: \d{4}-\d\d-\d\d .* UTC/);
  });

  it('is remembered by the window, without its address or key', () => {
    const { workspaceState, globalState } = access.context;
    assert.deepEqual(workspaceState.keys(), ['marginDesk.activeProfile']);
    assert.equal(workspaceState.get('marginDesk.activeProfile'), 'Practice');
    assert.deepEqual(globalState.keys(), []);
    for (const key of Object.keys(settings))
      assert.equal(vscode.workspace.getConfiguration().inspect(key)?.globalValue, undefined);
  });

  it('opens one order history, however often it is asked for', async () => {
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
    assert.equal(tab?.label, 'Order History · PRACTICE');
    assert.equal(tabs().length, 1);
    await vscode.window.tabGroups.close(tab);
  });
});
