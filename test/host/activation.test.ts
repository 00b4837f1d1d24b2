import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { activatedExtension, positionRows } from '../support/extensionUnderTest.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

describe('a fresh window', () => {
  const messages = scriptedMessages();
  const access = activatedExtension();

  it('has every command, and no open account', async () => {
    const known = await vscode.commands.getCommands(true);
    for (const id of Object.values(commands)) assert.ok(known.includes(id), id);
    assert.equal(access.app.active.state.kind, 'closed');
    assert.deepEqual(positionRows(access), []);
  });

  it('says what is missing, and offers it', async () => {
    for (const id of [commands.refresh, commands.cancelAllOrders])
      await vscode.commands.executeCommand(id);
    for (const { text, buttons } of messages.shown) {
      assert.match(text, /^No account is open\. Run “Margin Desk: Open Practice Account” first\.$/);
      assert.deepEqual(buttons, ['Open Practice Account']);
    }
    assert.equal(messages.shown.length, 2);
  });
});
