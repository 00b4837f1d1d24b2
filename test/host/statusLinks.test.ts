import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, wire } from '../support/builders.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

describe('the links in the hover of the status bar', () => {
  const serve = serversOfEachTest();
  const access = activatedExtension();
  const messages = scriptedMessages();
  let server: HostileServer;

  beforeEach(async () => {
    server = await serve((_request, response) => response.end(wire(anAccount())));
  });

  function hover(): vscode.MarkdownString {
    const { tooltip } = access.app.statusItem.item;
    return tooltip instanceof vscode.MarkdownString ? tooltip : assert.fail('no Markdown');
  }

  /** The words of each link and the command that it runs, as Markdown reads them. */
  const links = (): [words: string, command: string][] =>
    [...hover().value.matchAll(/\[([^\]]*)\]\(command:([^)]*)\)/g)].map(
      ([, words = '', command = '']) => [words, command],
    );

  it('run three commands, and the hover is trusted with no others', async () => {
    await openAt(access, server.url);
    const registered = await vscode.commands.getCommands(true);
    const wanted = [commands.openOverview, commands.refresh, commands.cancelAllOrders];
    const found = links().map(([, command]) => command);
    assert.deepEqual(found, wanted);
    assert.deepEqual(hover().isTrusted, { enabledCommands: wanted });
    for (const command of wanted) assert.ok(registered.includes(command), command);
  });

  it('offer no cancel-all of a read-only profile; its command explains, with Edit Profile', async () => {
    await openAt(access, server.url, { readOnly: true });
    const found = links().map(([, command]) => command);
    assert.deepEqual(found, [commands.openOverview, commands.refresh, commands.switchProfile]);
    assert.match(access.app.statusItem.item.text, /^\$\(lock\) TEST /);
    const { positions, assets, lockedOrders } = access.app;
    const [head] = positions.getChildren();
    assert.match(String(head && positions.getTreeItem(head).description), /^read-only · /);
    for (const { view } of [assets, lockedOrders])
      assert.equal(view.description, 'TEST · Mine · read-only');
    await vscode.commands.executeCommand(commands.cancelAllOrders);
    const [message] = messages.shown;
    assert.equal(message?.text, '“Mine” is a read-only profile, so nothing was sent.');
    assert.deepEqual(message.buttons, ['Edit Profile…']);
    assert.ok(server.requests.every(({ method }) => method === 'GET'));
  });

  it('offer no cancel-all if no account could be opened', async () => {
    await assert.rejects(openAt(access, 'http://host.example'));
    const wanted = [commands.openOverview, commands.refresh, commands.switchProfile];
    const shown = links().map(([, command]) => command);
    assert.deepEqual(shown, wanted);
    assert.deepEqual(hover().isTrusted, { enabledCommands: wanted });
  });
});
