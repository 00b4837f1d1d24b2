import assert from 'node:assert/strict';
import { commands } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { accountReads } from '../support/hostileServer.ts';
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
    openProfile,
    untilRead,
    viewMessage,
    setProfiles,
    secretOf,
    storeSecret,
    marked,
    mark,
  } = profilesUnderTest();

  describe('get credentials', () => {
    const cases: [scheme: string, answers: string[], kept: object, header: [string, string]][] = [
      ['bearer', ['tok.en'], { token: 'tok.en' }, ['authorization', 'Bearer tok.en']],
      ['apiKeyHeader', ['k-1'], { apiKey: 'k-1' }, ['x-api-key', 'k-1']],
      ['hmacQuery', ['k-1', 's-1'], { apiKey: 'k-1', apiSecret: 's-1' }, ['x-api-key', 'k-1']],
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

  describe('lose credentials', () => {
    it('that are chosen, orphans too, and the account does not go on with them', async () => {
      await opened('Main', await venue());
      await mark(['Main', 'Orphan']);
      await storeSecret('Orphan', '{}');
      messages.answers.push('Clear');
      input.answers.push(['Main', 'Orphan']);
      await run(commands.clearCredentials);
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
