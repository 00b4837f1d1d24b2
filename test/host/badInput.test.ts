import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, wire } from '../support/builders.ts';
import { activatedExtension, openAt, positionRows } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { writeUserSetting } from '../support/userSetting.ts';

describe('bad input', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const access = activatedExtension();

  const serveText = (text: string) => serve((_request, response) => response.end(text));
  const message = (): string => access.app.positions.view.message ?? '';
  const status = () => access.app.statusItem.item;

  it('keeps the last figures, shows their age, and recovers', async () => {
    let fails = false;
    const server = await serve((_request, response) =>
      fails ? response.writeHead(503).end() : response.end(wire(anAccount())),
    );
    await openAt(access, server.url);
    assert.equal(status().text, 'TEST 12,012.5 +12.5');
    fails = true;
    await vscode.commands.executeCommand(commands.refresh);
    assert.equal(positionRows(access).length, 1);
    assert.match(message(), /HTTP 503/);
    assert.match(status().text, /^TEST 12,012\.5 \+12\.5 · \$\(warning\) \d\d:\d\d:\d\d UTC\S*$/);
    fails = false;
    await vscode.commands.executeCommand(commands.refresh);
    assert.equal(message(), '');
    assert.equal(status().text, 'TEST 12,012.5 +12.5');
    assert.deepEqual(messages.shown, []);
  });

  for (const [value, agent] of [
    ['node-fetch', /node-fetch/],
    ['vscode', /^(?!.*node-fetch)/],
    ['carrier-pigeon', /^(?!.*node-fetch)/],
  ] as const) {
    it(`reads the account with marginDesk.http set to ${value}`, async () => {
      const server = await serveText(wire(anAccount()));
      await writeUserSetting('marginDesk.http', value);
      try {
        const { snapshot } = await openAt(access, server.url);
        assert.equal(snapshot?.account.equity, '12012.5');
        assert.match(server.requests[0]?.headers['user-agent'] ?? '', agent);
      } finally {
        await writeUserSetting('marginDesk.http', undefined);
      }
    });
  }
});
