import assert from 'node:assert/strict';
import { commands } from '../../src/host/contributions.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';

const { apiKey, apiSecret } = markedCredentials;

describe('profiles', () => {
  const { access, serve, messages, input, venue, run, opened, setProfiles } = profilesUnderTest();

  describe('that are read-only', () => {
    it('send no DELETE', async () => {
      const server = await venue();
      await opened('Main', server, { readOnly: true });
      const { state } = access().app.active;
      assert.ok(state.kind === 'open');
      await assert.rejects(state.session.client.cancelAll(), { name: 'ExchangeError' });
      assert.ok(server.requests.every(({ method }) => method === 'GET'));
    });
  });

  describe('are tested', () => {
    const report = () => messages.shown.find(({ modal }) => modal);

    it('and all works', async () => {
      await opened('Main', await venue());
      await run(commands.testConnection);
      assert.equal(report()?.text, 'Main · LIVE — the connection works.');
      assert.match(
        report()?.detail ?? '',
        /^✓ Exchange information: 0 symbols, \d+ ms\.\n\n✓ Account: 1 positions, \d+ ms\.\n\nThe server’s clock differs from ours by 0\.\d s\.$/,
      );
    });

    it('and the account refuses, and the clock is wrong', async () => {
      const server = await serve((request, response) =>
        request.url?.includes('exchangeInfo')
          ? response.end('{"rateLimits":[],"timezone":"UTC","serverTime":1000,"symbols":[]}')
          : response.writeHead(401).end('{"message":"no such key"}'),
      );
      await setProfiles({ Main: { baseUrl: server.url } });
      input.answers.push('Main', apiKey, apiSecret);
      await run(commands.setCredentials);
      input.answers.push('Main');
      await run(commands.testConnection);
      assert.match(report()?.text ?? '', /a part of the connection works\.$/);
      assert.match(report()?.detail ?? '', /✗ Account: .*HTTP 401: “no such key”/);
      assert.match(report()?.detail ?? '', /clock is [\d.]+ s behind ours/);
    });

    it('without credentials, as far as that goes', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      input.answers.push('Main');
      await run(commands.testConnection);
      assert.match(report()?.detail ?? '', /✓ Exchange.*✗ Account: “Main” has no credentials yet/s);
      assert.equal(server.requests.length, 1);
    });

    it('and nobody is there', async () => {
      const server = await venue();
      await opened('Main', server);
      await server.close();
      await run(commands.testConnection);
      assert.match(report()?.text ?? '', /the connection does not work\.$/);
      assert.equal(report()?.detail.match(/ECONNREFUSED/g)?.length, 2);
    });
  });
});
