import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { accountReads } from '../support/hostileServer.ts';
import { leaveExport } from '../support/keptExport.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';

const { apiKey, apiSecret } = markedCredentials;

describe('profiles', () => {
  const {
    access,
    messages,
    input,
    venue,
    run,
    opened,
    clear,
    openProfile,
    untilRead,
    viewMessage,
    setProfiles,
    secretOf,
    storeSecret,
    marked,
    mark,
    remembered,
    set,
    dropSecrets,
  } = profilesUnderTest();

  describe('get credentials', () => {
    const cases: [scheme: string, answers: string[], kept: object, header: [string, string]][] = [
      ['bearer', ['tok.en'], { token: 'tok.en' }, ['authorization', 'Bearer tok.en']],
      ['apiKeyHeader', ['k-1'], { apiKey: 'k-1' }, ['x-api-key', 'k-1']],
      ['hmacQuery', ['k-1', 's-1'], { apiKey: 'k-1', apiSecret: 's-1' }, ['x-api-key', 'k-1']],
      ['hmacHeaders', ['k-1', 's-1'], { apiKey: 'k-1', apiSecret: 's-1' }, ['x-api-key', 'k-1']],
      ['custom', ['k-1', 's-1'], { apiKey: 'k-1', apiSecret: 's-1' }, ['x-api-key', 'k-1']],
      ['basic', ['u', 'p w'], { user: 'u', password: 'p w' }, ['authorization', 'Basic dTpwIHc=']],
      [
        'hmacIsoPassphrase',
        ['k-1', 's-1', 'p-1'],
        { apiKey: 'k-1', apiSecret: 's-1', passphrase: 'p-1' },
        ['x-passphrase', 'p-1'],
      ],
    ];
    for (const [scheme, answers, kept, [header, value]] of cases)
      it(`with the fields of ${scheme} and no other`, async () => {
        const server = await venue();
        await setProfiles({ Main: { baseUrl: server.url, auth: { scheme } } });
        input.answers.push('Main', ...answers);
        await run(commands.switchProfile);
        await untilRead('Main');
        assert.equal(input.asked.length, 1 + answers.length);
        assert.ok(input.asked.slice(1).every(({ password }) => password));
        const secret: unknown = JSON.parse((await secretOf('Main')) ?? '');
        assert.deepEqual(secret, { v: 1, origin: server.url, ...kept });
        assert.equal(accountReads(server)[0]?.headers[header], value);
      });

    it('never for the scheme none', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url, auth: { scheme: 'none' } } });
      input.answers.push('Main');
      await run(commands.switchProfile);
      await untilRead('Main');
      await run(commands.setCredentials);
      assert.equal(messages.shown[0]?.text, '“Main” needs no credentials: its scheme is none.');
      assert.equal(input.asked.length, 1);
    });

    it('again when the scheme needs others', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ Main: { baseUrl: server.url, auth: { scheme: 'bearer' } } });
      await eventually('the sentence', () => viewMessage().includes('its scheme bearer needs'));
      assert.ok(server.requests.every(({ headers }) => headers.authorization === undefined));
    });

    it('of another profile, picked, without touching what is open', async () => {
      await setProfiles({
        One: { baseUrl: 'https://one.example' },
        Two: { baseUrl: 'https://two.example' },
      });
      input.answers.push('Two', apiKey, apiSecret);
      await run(commands.setCredentials);
      assert.deepEqual(marked(), ['Two']);
      assert.equal(messages.shown[0]?.text, 'The credentials of “Two” are stored.');
      assert.equal(access().app.active.state.kind, 'closed');
    });

    it('only when there is a profile', async () => {
      await run(commands.setCredentials);
      assert.equal(messages.shown[0]?.text, 'There is no profile yet: add one first.');
      assert.deepEqual(messages.shown[0].buttons, ['Add Profile']);
    });

    it('bound to the origin that was shown, though the settings change while the box stands', async () => {
      const [before, after] = [await venue(), await venue()];
      await opened('Main', before);
      const pointElsewhere = async () => {
        await setProfiles({ Main: { baseUrl: after.url } });
        return 'another-secret';
      };
      input.answers.push('another-key', pointElsewhere);
      await run(commands.setCredentials);
      await eventually('the refusal', () => access().app.active.state.kind === 'failed');
      const refusal = messages.shown.at(-1)?.text ?? '';
      assert.ok(refusal.includes(before.url) && refusal.includes(after.url), refusal);
      assert.match((await secretOf('Main')) ?? '', new RegExp(`"origin":"${before.url}"`));
      assert.deepEqual(after.requests, []);
    });

    it('that VS Code does not keep, and go on with them until the window is reloaded', async () => {
      const [server, other] = [await venue(), await venue()];
      await setProfiles({ Main: { baseUrl: server.url } });
      dropSecrets();
      input.answers.push('Main', apiKey, apiSecret);
      await run(commands.switchProfile);
      await untilRead('Main');
      assert.deepEqual(
        messages.shown.map(({ text }) => text.slice(0, 52)),
        ['VS Code did not keep the credentials of “Main”: they'],
      );
      assert.equal(await secretOf('Main'), undefined);
      await setProfiles({ Main: { baseUrl: `${server.url}/prefix`, readOnly: true } });
      await eventually('the change', () => openProfile()?.readOnly);
      await run(commands.testConnection);
      assert.match(messages.shown.at(-1)?.text ?? '', /the connection works\.$/);
      input.answers.push('Practice');
      await run(commands.switchProfile);
      input.answers.push('Main');
      await run(commands.switchProfile);
      await untilRead('Main');
      input.answers.push('Main', 'Name', 'Second');
      await run(commands.editProfile);
      await untilRead('Second');
      assert.equal(messages.shown.length, 2);
      await setProfiles({ Second: { baseUrl: other.url } });
      await eventually('the sentence', () => viewMessage().includes('were entered for'));
      assert.deepEqual(other.requests, []);
      await clear('Second');
      assert.equal(access().app.active.state.kind, 'closed');
      await assert.rejects(access().app.accounts.open('Second'), /“Second” has no credentials yet/);
    });

    it('and are not called stored when VS Code does not keep them', async () => {
      await setProfiles({ One: { baseUrl: 'https://one.example' } });
      dropSecrets();
      input.answers.push('One', apiKey, apiSecret);
      await run(commands.setCredentials);
      assert.equal(messages.shown.length, 1);
      assert.match(messages.shown[0]?.text ?? '', /^VS Code did not keep the credentials of “One”/);
      await clear('One');
    });

    it('and are opened anew when another window replaces them', async () => {
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
    let folder = '';
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'private-key-'));
    });
    after(() => rmSync(folder, { recursive: true }));

    /** Runs Set Credentials for a profile with that scheme and picks a file of this text. */
    async function pick(url: string, text: string | undefined): Promise<void> {
      const file = join(folder, 'key.pem');
      if (text === undefined) rmSync(file, { force: true });
      else writeFileSync(file, text);
      await setProfiles({ Main: { baseUrl: url, auth } });
      input.answers.push('Main', 'k-1', file);
      await run(commands.setCredentials);
      assert.deepEqual(
        input.asked.map(({ kind }) => kind),
        ['pick', 'input', 'file'],
      );
    }

    it('from a file that the person picks, and sign with it', async () => {
      const server = await venue();
      await pick(server.url, `${pem}\n`);
      assert.match(input.asked[2]?.title ?? '', /^Credentials of “Main” for http:.*: Private Key$/);
      assert.deepEqual(JSON.parse((await secretOf('Main')) ?? ''), {
        v: 1,
        origin: server.url,
        apiKey: 'k-1',
        privateKey: pem.trim(),
      });
      input.answers.push('Main');
      await run(commands.switchProfile);
      await untilRead('Main');
      const isAccount = ({ path }: { path: string }) => path.startsWith('/api/v1/accounts');
      const { path = '', headers } = server.requests.find(isAccount) ?? {};
      const signature = Buffer.from(String(headers?.['x-signature']), 'base64');
      assert.ok(verify(null, Buffer.from(path), publicKey, signature));
    });

    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const wrong: [what: string, text: string | undefined, sentence: RegExp][] = [
      ['no key', 'MARKED', /^The private key cannot be read: choose a PEM file/],
      ['too large', 'MARKED'.repeat(10_000), /^The private key is longer than 16,384 characters: /],
      ['not there', undefined, /^The file of the private key cannot be read: choose another\.$/],
      [
        'of another kind',
        rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
        /^The private key is no Ed25519 key, .*: choose another file\.$/,
      ],
    ];
    for (const [what, text, sentence] of wrong)
      it(`not from a file that is ${what}; one sentence says so`, async () => {
        await pick('https://host.example', text);
        assert.match(messages.shown[0]?.text ?? '', sentence);
        assert.doesNotMatch(messages.shown[0]?.text ?? '', /MARKED/);
        assert.deepEqual(messages.shown[0]?.buttons, ['Set Credentials']);
        assert.equal(await secretOf('Main'), undefined);
      });

    it('not when the dialog is closed', async () => {
      await setProfiles({ Main: { baseUrl: 'https://host.example', auth } });
      input.answers.push('Main', 'k-1');
      await run(commands.setCredentials);
      assert.equal(await secretOf('Main'), undefined);
      assert.deepEqual(messages.shown, []);
    });
  });

  describe('lose credentials', () => {
    it('that are chosen, orphans too, and the account does not go on with them', async () => {
      await opened('Main', await venue());
      await mark(['Main', 'Orphan']);
      await storeSecret('Orphan', '{}');
      const exports = await leaveExport(access(), 'Main');
      assert.equal((await exports()).length, 2);
      await clear('Main', 'Orphan');
      assert.deepEqual(await exports(), []);
      const [main, orphan] = input.asked[0]?.items ?? [];
      assert.match(main?.description ?? '', /^http:\/\/127\.0\.0\.1:/);
      assert.equal(orphan?.description, 'no profile has this name any more');
      assert.equal(messages.shown[0]?.text, 'Clear the credentials of “Main”, “Orphan”?');
      assert.ok(messages.shown[0].modal);
      assert.equal(await secretOf('Main'), undefined);
      assert.equal(await secretOf('Orphan'), undefined);
      assert.deepEqual(marked(), []);
      assert.equal(access().app.active.state.kind, 'closed');
    });

    it('and the next start opens the default profile without a message: the views say it', async () => {
      await opened('Main', await venue());
      await set('marginDesk.defaultProfile', 'Main');
      await clear('Main');
      assert.equal(remembered(), undefined);
      const shown = messages.shown.length;
      await access().app.accounts.restore();
      assert.equal(
        viewMessage(),
        '“Main” has no credentials yet: run “Margin Desk: Set Credentials”.',
      );
      assert.equal(messages.shown.length, shown);
    });

    it('not when the question is closed', async () => {
      await opened('Main', await venue());
      input.answers.push(['Main']);
      await run(commands.clearCredentials);
      assert.ok(await secretOf('Main'));
      assert.equal(openProfile()?.name, 'Main');
    });

    it('where there are any', async () => {
      await run(commands.clearCredentials);
      assert.equal(messages.shown[0]?.text, 'No credentials are stored.');
    });
  });
});
