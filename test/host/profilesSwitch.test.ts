import assert from 'node:assert/strict';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { accountReads } from '../support/hostileServer.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { escape } from '../support/scriptedInput.ts';
import type { Memento } from 'vscode';

const { apiKey, apiSecret } = markedCredentials;

describe('profiles', () => {
  const harness = profilesUnderTest();
  const { access, messages, input, venue, run, opened, openProfile, untilRead } = harness;
  const { viewMessage, setProfiles, profiles, secretOf, remembered, shownText, accountState } =
    harness;

  describe('are switched', () => {
    it('from a list with environment and host, invalid ones with their problem', async () => {
      await setProfiles({
        Main: { baseUrl: 'https://main.example', readOnly: true },
        'A $(trash) [x](command:y)': { baseUrl: 'https://odd.example', environment: 'test' },
        Broken: { baseUrl: 'https://host.example', environment: 'magic' },
      });
      await run(commands.switchProfile);
      assert.deepEqual(
        input.asked[0]?.items
          .slice(0, 4)
          .map(({ label, description, detail }) => [label, description, detail]),
        [
          ['Practice', 'PRACTICE · simulated exchange, no real money', undefined],
          ['Main', 'LIVE · main.example · read-only', undefined],
          ['A $ (trash) [x] (command:y)', 'TEST · odd.example', undefined],
          ['Broken', 'invalid', 'Profile “Broken”, environment: write "live" or "test".'],
        ],
      );
      assert.equal(accountState().kind, 'closed');
    });

    it('while an invalid one says why and the open account stays', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ ...profiles(), Broken: { baseUrl: 7 } });
      await run(commands.switchProfile, 'Broken');
      assert.match(shownText(), /^Profile “Broken”, baseUrl: write the exch/);
      assert.deepEqual(messages.shown.at(-1)?.buttons, ['Edit Profile…']);
      assert.equal(openProfile()?.name, 'Main');
    });

    it('and ask for missing credentials, sending nothing without them', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      await run(commands.switchProfile, 'Main', escape);
      assert.deepEqual(server.requests, []);
      assert.equal(
        viewMessage(),
        '“Main” has no credentials yet. Enter them with “Margin Desk: Edit Profile…”.',
      );
      assert.equal(input.asked[1]?.title, `Credentials of “Main” for ${server.url}: API Key`);
      assert.deepEqual(messages.shown, []);
      await run(commands.setCredentials, apiKey, apiSecret);
      await untilRead('Main');
    });

    it('in this window, which remembers it by name only', async () => {
      const server = await venue();
      await opened('Main', server);
      assert.equal(remembered(), 'Main');
      const { workspaceState } = access().context;
      assert.deepEqual(furtherKeysOf(workspaceState), []);
      const kept = storedText(workspaceState);
      for (const secret of [server.url, apiKey, apiSecret]) assert.ok(!kept.includes(secret));
      await opened('Other', await venue());
      assert.equal(remembered(), 'Other');
    });
  });

  describe('ask again for another origin', () => {
    it('in a message with both hosts if the settings of the open one change', async () => {
      const [before, after] = [await venue(), await venue()];
      await opened('Main', before);
      await setProfiles({ Main: { baseUrl: after.url } });
      const message = await eventually('the message', () => messages.shown[0]);
      assert.ok(message.text.includes(before.url) && message.text.includes(after.url));
      assert.deepEqual(message.buttons, ['Set Credentials…']);
      assert.equal(viewMessage(), message.text);
      assert.deepEqual(after.requests, []);
    });

    it('in a dialog with both hosts when it is opened, and send nothing before', async () => {
      const [before, after] = [await venue(), await venue()];
      await opened('Main', before);
      await access().app.connection.close();
      await setProfiles({ Main: { baseUrl: after.url } });
      await run(commands.switchProfile, 'Main');
      const dialog = messages.shown[0];
      assert.ok(dialog?.modal);
      assert.ok(dialog.detail.includes(before.url) && dialog.detail.includes(after.url));
      assert.deepEqual([input.asked.length, after.requests.length], [1, 0]);
      assert.match((await secretOf('Main')) ?? '', new RegExp(`"origin":"${before.url}"`));
      messages.answers.push('Enter Credentials Again');
      await run(commands.switchProfile, 'Main', 'another-key', 'another-secret');
      await untilRead('Main');
      assert.match((await secretOf('Main')) ?? '', new RegExp(`"origin":"${after.url}"`));
      assert.ok(accountReads(after).every(({ headers }) => headers['x-api-key'] === 'another-key'));
    });
  });
});

/** All that a memento stores, as text to search. */
function storedText(memento: Memento): string {
  return JSON.stringify(memento.keys().map((key) => [key, memento.get(key)]));
}

/** What a window stores beside the name of its account and the last query of each panel: nothing. */
function furtherKeysOf(workspaceState: Memento): string[] {
  const known = /^marginDesk\.(?:activeProfile$|query\.)/;
  return workspaceState.keys().filter((key) => !known.test(key));
}
