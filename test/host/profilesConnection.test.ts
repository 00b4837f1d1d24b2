import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/contributions.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
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
        /^✓ Exchange information: 0 symbols, \d+ ms\.\n\n✓ Account: 1 positions, \d+ ms\.\n\nThe server’s clock differs from ours by 0\.\d s\.\n\nUndecided, so assumed: firstPage 0, dates epochMs, .* The detection cost 10 of the limit’s weight\.$/,
      );
    });

    it('and the account refuses, and the clock is wrong', async () => {
      const serverTime = Date.now() - 60_000;
      const server = await serve((request, response) =>
        request.url?.includes('exchangeInfo')
          ? response.end(
              `{"rateLimits":[],"timezone":"UTC","serverTime":${serverTime},"symbols":[]}`,
            )
          : response.writeHead(401).end('{"message":"no such key"}'),
      );
      await setProfiles({ Main: { baseUrl: server.url } });
      input.answers.push('Main', apiKey, apiSecret);
      await run(commands.setCredentials);
      input.answers.push('Main');
      await run(commands.testConnection);
      assert.match(report()?.text ?? '', /a part of the connection works\.$/);
      assert.match(report()?.detail ?? '', /✗ Account: .*HTTP 401: “no such key”/);
      assert.match(report()?.detail ?? '', /clock is (?:59|60)\.\d s behind ours/);
    });

    it('without credentials, as far as that goes', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      input.answers.push('Main');
      await run(commands.testConnection);
      assert.match(report()?.detail ?? '', /✓ Exchange.*✗ Account: “Main” has no credentials yet/s);
      assert.deepEqual(
        server.requests.map(({ path }) => path.split('?')[0]),
        ['/api/v1/system/exchangeInfo', '/api/v1/liquidationAuction/history'],
      );
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

  describe('have a report of their connection', () => {
    const exchanges = exchangesOfEachTest();
    const reading = {
      firstPage: 'oneClampsZero',
      dates: ['isoLocal'],
      timezone: 'Europe/Berlin',
    } as const;
    const text = () => vscode.window.activeTextEditor?.document.getText() ?? '';
    afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

    it('that Test Connection offers, with what was asked, seen and concluded', async () => {
      const exchange = await exchanges({ reading, rows: { lots: 60 } });
      await setProfiles({ Main: { baseUrl: exchange.url, dialect: { lists: 'comma' } } });
      input.answers.push('Main', apiKey, apiSecret);
      await run(commands.setCredentials);
      input.answers.push('Main');
      messages.answers.push('Show Report');
      await run(commands.testConnection);
      assert.match(text(), /^Main · LIVE · http:\/\/127\.0\.0\.1:\d+\nConnection report of /);
      assert.match(text(), /\nfirstPage {10}1\n {2}Seen on \d{4}-.* UTC\.\n {2}The rows of page 2/);
      assert.match(text(), /\ndates {14}isoLocal\n {2}Seen on /);
      assert.match(text(), /liquidationAuction\/history dateFrom=\S+ dateTo=\S+ page=1 size=500/);
      assert.match(text(), /gave a refusal \(HTTP 400\)/);
      assert.match(text(), /\nlists {14}comma\n {2}Set by hand\.\n/);
      assert.match(text(), /\nmaxRangeDays {7}null\n {2}Assumed: nothing was asked yet/);
      assert.match(text(), /\nEurope\/Berlin\n/);
      assert.match(text(), /\nHARD_LIMIT: 1000 in 1 MINUTE\. Kept\.\n/);
      assert.match(text(), /"firstPage": "auto" \| 0 \| 1/);
      assert.doesNotMatch(text(), /MARKED|signature|timestamp=/);
      assert.ok(exchange.seen('lots').length <= 7);
    });

    it('that a command shows without asking anything, and that outlives the account', async () => {
      const exchange = await exchanges({
        reading,
        rows: { lots: 60 },
        rateLimits: '[{"rateLimitType":"ORDERS","interval":"FORTNIGHT","intervalNum":2,"limit":7}]',
      });
      await setProfiles({ Main: { baseUrl: exchange.url } });
      input.answers.push('Main');
      await run(commands.testConnection);
      const sent = exchange.requests.length;
      input.answers.push('Main');
      await run(commands.showConnectionReport);
      assert.match(text(), /\ndates {14}isoLocal\n {2}Seen on /);
      assert.match(text(), /ORDERS: 7 in 2 FORTNIGHT\. Not known here: shown, not enforced\./);
      assert.match(text(), /DETECTION\n\nLast on .* UTC, for \d0 of the limit’s weight\./);
      assert.equal(exchange.requests.length, sent);
    });
  });
});
