import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import { commands } from '../../src/host/contributions.ts';
import { anAccount, wire } from '../support/builders.ts';
import { extensionUnderTest, openAt } from '../support/extensionUnderTest.ts';
import { accountReads, serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

describe('the links in the hover of the status bar', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  let access: TestAccess;
  let server: HostileServer;

  before(async () => {
    access = await extensionUnderTest();
  });
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

  async function follow(link: string): Promise<void> {
    const [, command = assert.fail(link)] = links().find(([words]) => words === link) ?? [];
    await vscode.commands.executeCommand(command);
  }

  it('run three commands, and the hover is trusted with no others', async () => {
    await openAt(access, server.url);
    const registered = await vscode.commands.getCommands(true);
    const wanted = [commands.refresh, commands.cancelAllOrders, commands.switchProfile];
    assert.deepEqual(
      links().map(([, command]) => command),
      wanted,
    );
    assert.deepEqual(hover().isTrusted, { enabledCommands: wanted });
    for (const command of wanted) assert.ok(registered.includes(command), command);
  });

  it('read the account again', async () => {
    await openAt(access, server.url);
    const before = accountReads(server).length;
    await follow('Refresh');
    assert.equal(accountReads(server).length, before + 1);
  });

  it('ask before open orders are cancelled', async () => {
    await openAt(access, server.url);
    messages.answers.push('Keep Orders');
    await follow('Cancel all open orders');
    assert.deepEqual(
      messages.shown.map(({ text, modal }) => [text, modal]),
      [['Cancel ALL open orders on Mine (TEST)?', true]],
    );
    assert.ok(server.requests.every(({ method }) => method === 'GET'));
  });

  it('list the profiles to switch to', async () => {
    await openAt(access, server.url);
    await follow('Switch profile');
    assert.deepEqual(
      input.asked.map(({ kind, title }) => [kind, title]),
      [['pick', 'Switch Profile']],
    );
    assert.equal(input.asked[0]?.items[0]?.label, 'Practice');
  });

  it('offer no cancel-all if no account could be opened', async () => {
    await assert.rejects(openAt(access, 'http://host.example'));
    const wanted = [commands.refresh, commands.switchProfile];
    assert.deepEqual(
      links().map(([, command]) => command),
      wanted,
    );
    assert.deepEqual(hover().isTrusted, { enabledCommands: wanted });
  });
});
