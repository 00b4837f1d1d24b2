import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest } from '../support/extensionUnderTest.ts';

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

  it('opens the overview beside the views', async () => {
    assert.equal(access.app.overview.visible, true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
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
