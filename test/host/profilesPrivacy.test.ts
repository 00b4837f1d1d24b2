import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { accountReads } from '../support/hostileServer.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';

const apiKey = 'MARKED/key+of the=person';
const apiSecret = 'MARKED/secret+of the=person';

describe('a marked key and secret of a profile', () => {
  const { access, serve, messages, setProfiles, profiles, run } = profilesUnderTest();

  it('stay in the secret storage, through every failure of the exchange', async () => {
    const server = await serve((request, response) => {
      const sent = `${inspect(request.headers)} ${request.url}`;
      if (request.url?.startsWith('/api/v1/system')) return response.writeHead(401).end(sent);
      switch (accountReads(server).length) {
        case 1:
          return response.writeHead(401).end(sent);
        case 2:
          return response.writeHead(500).end(JSON.stringify({ message: sent }));
        case 3:
          return response.writeHead(302, { location: `https://${apiKey}@other.example` }).end();
        case 4:
          return response.end(`<html>${sent}`);
        case 5:
          return response.end(JSON.stringify({ upl: sent }));
        default:
          return request.socket.destroy();
      }
    });
    await setProfiles({ Main: { baseUrl: server.url } });
    await run(commands.switchProfile, 'Main', apiKey, apiSecret);
    const seen = () => accountReads(server).length;
    await eventually('the first request', () => seen() === 1);
    const shown: unknown[] = [];
    for (let count = 2; count <= 6; count += 1) {
      await run(commands.refresh);
      const { app } = access();
      const { text, tooltip } = app.statusItem.item;
      shown.push(app.positions.view.message, text, inspect(tooltip), seen());
    }
    await run(commands.testConnection);
    await run(commands.cancelAllOrders);
    assert.ok(seen() > 6);
    const { globalState, workspaceState } = access().context;
    const states = [globalState, workspaceState].flatMap((state) =>
      state.keys().map((key) => [key, state.get(key)]),
    );
    assert.ok(states.length >= 2 && messages.shown.length >= 2);
    assertNoSecret(inspect([shown, messages.shown, states, profiles()], { depth: 20 }));
    for (const file of writtenFiles()) assertNoSecret(readFileSync(file, 'latin1'));
  });

  function assertNoSecret(text: string): void {
    for (const secret of [apiKey, apiSecret])
      for (const form of [secret, encodeURIComponent(secret), btoa(secret)])
        assert.ok(!text.includes(form));
  }

  /** Logs, settings and state of this VS Code. */
  function writtenFiles(): string[] {
    const folder = dirname(dirname(dirname(dirname(access().context.logUri.fsPath))));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    assert.ok(files.some((file) => file.endsWith('Margin Desk.log')));
    return files;
  }
});
