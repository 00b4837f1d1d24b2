import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { accountReads } from '../support/hostileServer.ts';
import { leaveExport } from '../support/unfinishedExport.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { folderOfEachTest } from '../support/project.ts';

const { apiKey, apiSecret } = markedCredentials;
const noCredentials =
  '“Main” has no credentials yet. Enter them with “Margin Desk: Edit Profile…”.';

describe('profiles', () => {
  const harness = profilesUnderTest();
  const { access, messages, input, venue, run, opened, clear, openProfile, untilRead } = harness;
  const { viewMessage, setProfiles, secretOf, storeSecret, marked, mark, remembered } = harness;
  const { set, dropSecrets, shownText, accountState, credentialsOf } = harness;

  describe('get credentials', () => {
    const cases: [scheme: string, answers: string[], kept: object, header: [string, string]][] = [
      ['bearer', ['tok.en'], { token: 'tok.en' }, ['authorization', 'Bearer tok.en']],
      [
        'hmacIsoPassphrase',
        ['k-1', 's-1', 'p-1'],
        { apiKey: 'k-1', apiSecret: 's-1', passphrase: 'p-1' },
        ['x-passphrase', 'p-1'],
      ],
    ];
    for (const [scheme, answers, kept, [header, value]] of cases)
      it(`with only the fields of ${scheme}`, async () => {
        const server = await venue();
        await setProfiles({ Main: { baseUrl: server.url, auth: { scheme } } });
        await run(commands.switchProfile, 'Main', ...answers);
        await untilRead('Main');
        assert.equal(input.asked.length, 1 + answers.length);
        assert.ok(input.asked.slice(1).every(({ password }) => password));
        assert.deepEqual(await credentialsOf('Main'), { v: 1, origin: server.url, ...kept });
        assert.equal(accountReads(server)[0]?.headers[header], value);
      });

    it('never for the scheme none', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url, auth: { scheme: 'none' } } });
      await run(commands.switchProfile, 'Main');
      await untilRead('Main');
      await run(commands.setCredentials);
      assert.equal(
        messages.shown[0]?.text,
        '“Main” needs no credentials: its requests are not authenticated.',
      );
      assert.equal(input.asked.length, 1);
    });

    it('again if the scheme needs others', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ Main: { baseUrl: server.url, auth: { scheme: 'bearer' } } });
      await eventually('the sentence', () =>
        viewMessage().includes('do not fit its authentication (Bearer token'),
      );
      assert.ok(server.requests.every(({ headers }) => headers.authorization === undefined));
    });

    it('bound to the origin that was shown, even if the settings change meanwhile', async () => {
      const [before, after] = [await venue(), await venue()];
      await opened('Main', before);
      const pointElsewhere = async () => {
        await setProfiles({ Main: { baseUrl: after.url } });
        return 'another-secret';
      };
      await run(commands.setCredentials, 'another-key', pointElsewhere);
      await eventually('the refusal', () => accountState().kind === 'failed');
      const refusal = shownText();
      assert.ok(refusal.includes(before.url) && refusal.includes(after.url), refusal);
      assert.match((await secretOf('Main')) ?? '', new RegExp(`"origin":"${before.url}"`));
      assert.deepEqual(after.requests, []);
    });

    it('that VS Code does not keep, and use them until the window is reloaded', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      dropSecrets();
      await run(commands.switchProfile, 'Main', apiKey, apiSecret);
      await untilRead('Main');
      assert.equal(messages.shown.length, 1);
      assert.match(shownText(0), /^VS Code did not keep the credentials of “Main”\. They/);
      assert.equal(await secretOf('Main'), undefined);
      assert.equal(accountReads(server)[0]?.headers['x-api-key'], apiKey);
      await clear('Main');
      assert.equal(accountState().kind, 'closed');
    });

    it('and are reopened if another window replaces them', async () => {
      const server = await venue();
      await opened('Main', server);
      const changed = { v: 1, origin: server.url, apiKey: 'new-key', apiSecret: 'new-secret' };
      await storeSecret('Main', JSON.stringify(changed));
      await eventually('the new key', () =>
        server.requests.some(({ headers }) => headers['x-api-key'] === 'new-key'),
      );
      await storeSecret('Main', undefined);
      await eventually('the sentence', () => viewMessage().includes('did not keep'));
    });
  });

  describe('get a private key', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const custom = { algorithm: 'ed25519', encoding: 'base64', stringToSign: '{target}' };
    const auth = { scheme: 'custom', custom };
    const folder = folderOfEachTest();

    /** Runs Set Credentials for a profile with that scheme and picks a file of this text. */
    async function pick(url: string, text: string): Promise<void> {
      const file = join(folder.path, 'key.pem');
      writeFileSync(file, text);
      await setProfiles({ Main: { baseUrl: url, auth } });
      await run(commands.setCredentials, 'Main', 'k-1', file);
      const kinds = input.asked.map(({ kind }) => kind);
      assert.deepEqual(kinds.slice(0, 3), ['pick', 'input', 'file']);
    }

    it('from a file that the user picks, and sign with it', async () => {
      const server = await venue();
      await pick(server.url, `${pem}\n`);
      assert.match(input.asked[2]?.title ?? '', /^Credentials of “Main” for http:.*: Private Key$/);
      const kept = { v: 1, origin: server.url, apiKey: 'k-1', privateKey: pem.trim() };
      assert.deepEqual(await credentialsOf('Main'), kept);
      await run(commands.switchProfile, 'Main');
      await untilRead('Main');
      const isAccount = ({ path }: { path: string }) => path.startsWith('/api/v1/accounts');
      const { path = '', headers } = server.requests.find(isAccount) ?? {};
      const signature = Buffer.from(String(headers?.['x-signature']), 'base64');
      assert.ok(verify(null, Buffer.from(path), publicKey, signature));
    });

    it('not from a file that has none, and say so without its text', async () => {
      await pick('https://host.example', 'MARKED');
      assert.match(shownText(0), /^The private key cannot be read: choose a PEM file/);
      assert.doesNotMatch(shownText(0), /MARKED/);
      assert.deepEqual(messages.shown[0]?.buttons, ['Choose Another File']);
      assert.equal(await secretOf('Main'), undefined);
    });
  });

  describe('lose credentials', () => {
    it('that are chosen, also of deleted profiles, and close the account', async () => {
      await opened('Main', await venue());
      await mark(['Main', 'Orphan']);
      await storeSecret('Orphan', '{}');
      const exports = leaveExport(access(), 'Main');
      assert.ok(exports().length > 0);
      await clear('Main', 'Orphan');
      assert.deepEqual(exports(), []);
      const [main, orphan] = input.asked.at(-1)?.items ?? [];
      assert.match(main?.description ?? '', /^http:\/\/127\.0\.0\.1:/);
      assert.equal(orphan?.description, 'the profile no longer exists');
      assert.equal(messages.shown[0]?.text, 'Clear the credentials of “Main”, “Orphan”?');
      assert.ok(messages.shown[0].modal);
      assert.equal(await secretOf('Main'), undefined);
      assert.equal(await secretOf('Orphan'), undefined);
      assert.deepEqual(marked(), []);
      assert.equal(accountState().kind, 'closed');
    });

    it('and the next start opens the default profile without a message', async () => {
      await opened('Main', await venue());
      await set('marginDesk.defaultProfile', 'Main');
      await clear('Main');
      assert.equal(remembered(), undefined);
      const shown = messages.shown.length;
      await access().app.connection.restore();
      assert.equal(viewMessage(), noCredentials);
      assert.equal(messages.shown.length, shown);
    });

    it('not if the question is closed', async () => {
      await opened('Main', await venue());
      await run(commands.editProfile, 'Main', 'Clear Credentials…', ['Main']);
      assert.ok(await secretOf('Main'));
      assert.equal(openProfile()?.name, 'Main');
    });
  });
});
