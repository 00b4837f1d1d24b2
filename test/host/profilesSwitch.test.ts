import assert from 'node:assert/strict';
import { commands } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { accountReads } from '../support/hostileServer.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { escape } from '../support/scriptedInput.ts';

const { apiKey, apiSecret } = markedCredentials;

describe('profiles', () => {
  const {
    access,
    messages,
    input,
    venue,
    run,
    opened,
    openProfile,
    untilRead,
    viewMessage,
    setProfiles,
    secretOf,
    remembered,
    profiles,
  } = profilesUnderTest();

  describe('are switched', () => {
    it('from a list of all with environment and host, the broken ones with their sentence', async () => {
      await setProfiles({
        Main: { baseUrl: 'https://main.example', readOnly: true },
        'A $(trash) [x](command:y)': { baseUrl: 'https://odd.example', environment: 'test' },
        Broken: { baseUrl: 'https://host.example', auth: { scheme: 'magic' } },
      });
      await run(commands.switchProfile);
      assert.deepEqual(
        input.asked[0]?.items
          .slice(0, 4)
          .map(({ label, description, detail }) => [label, description, detail]),
        [
          ['Practice', 'PRACTICE · made-up money, inside this window', undefined],
          ['Main', 'LIVE · main.example · read-only', undefined],
          ['A $ (trash) [x] (command:y)', 'TEST · odd.example', undefined],
          [
            'Broken',
            'cannot be used',
            'Profile “Broken”, auth.scheme: write "none", "bearer", "basic", "apiKeyHeader", "hmacQuery", "hmacHeaders", "hmacIsoPassphrase" or "custom".',
          ],
        ],
      );
      assert.equal(access().app.active.state.kind, 'closed');
    });

    it('while a broken one says why and leaves open what is open', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ ...profiles(), Broken: { baseUrl: 7 } });
      input.answers.push('Broken');
      await run(commands.switchProfile);
      assert.match(messages.shown.at(-1)?.text ?? '', /^Profile “Broken”, baseUrl: write the exch/);
      assert.deepEqual(messages.shown.at(-1)?.buttons, ['Edit Profile']);
      assert.equal(openProfile()?.name, 'Main');
    });

    it('and ask for credentials where none are kept, never calling without them', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      input.answers.push('Main', escape);
      await run(commands.switchProfile);
      assert.deepEqual(server.requests, []);
      assert.equal(
        viewMessage(),
        '“Main” has no credentials yet: run “Margin Desk: Set Credentials”.',
      );
      assert.equal(input.asked[1]?.title, `Credentials of “Main” for ${server.url}: API Key`);
      assert.deepEqual(messages.shown, []);
      input.answers.push(apiKey, apiSecret);
      await run(commands.setCredentials);
      await untilRead('Main');
    });

    it('in this window, which remembers it by name only', async () => {
      await opened('Main', await venue());
      assert.deepEqual(access().context.workspaceState.keys(), ['marginDesk.activeProfile']);
      assert.equal(remembered(), 'Main');
      await opened('Other', await venue());
      assert.equal(remembered(), 'Other');
    });
  });

  describe('ask again for another origin', () => {
    it('in a message with both hosts when the settings of the open one change', async () => {
      const [before, after] = [await venue(), await venue()];
      await opened('Main', before);
      await setProfiles({ Main: { baseUrl: after.url } });
      const message = await eventually('the message', () => messages.shown[0]);
      assert.ok(message.text.includes(before.url) && message.text.includes(after.url));
      assert.deepEqual(message.buttons, ['Set Credentials']);
      assert.equal(viewMessage(), message.text);
      assert.deepEqual(after.requests, []);
    });

    it('in a dialog with both hosts when it is opened, and send nothing until then', async () => {
      const [before, after] = [await venue(), await venue()];
      await opened('Main', before);
      await access().app.accounts.close();
      await setProfiles({ Main: { baseUrl: after.url } });
      input.answers.push('Main');
      await run(commands.switchProfile);
      const dialog = messages.shown[0];
      assert.ok(dialog?.modal);
      assert.ok(dialog.detail.includes(before.url) && dialog.detail.includes(after.url));
      assert.deepEqual([input.asked.length, after.requests.length], [1, 0]);
      assert.match((await secretOf('Main')) ?? '', new RegExp(`"origin":"${before.url}"`));
      messages.answers.push('Enter Credentials Again');
      input.answers.push('Main', 'another-key', 'another-secret');
      await run(commands.switchProfile);
      await untilRead('Main');
      assert.match((await secretOf('Main')) ?? '', new RegExp(`"origin":"${after.url}"`));
      assert.ok(accountReads(after).every(({ headers }) => headers['x-api-key'] === 'another-key'));
    });

    it('but not for another path of the same', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ Main: { baseUrl: `${server.url}/prefix` } });
      await eventually('a request below the prefix', () =>
        server.requests.some(({ path }) => path.startsWith('/prefix/api/v1/accounts')),
      );
      assert.deepEqual(messages.shown, []);
    });
  });
});
