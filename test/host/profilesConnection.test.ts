import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/contributions.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';

const { apiKey, apiSecret } = markedCredentials;

describe('profiles', () => {
  const { serve, messages, venue, run, opened, setProfiles } = profilesUnderTest();

  describe('are tested', () => {
    const report = () => messages.shown.find(({ modal }) => modal);

    it('and everything works', async () => {
      await opened('Main', await venue());
      await run(commands.testConnection);
      assert.equal(report()?.text, 'Main · LIVE — connected.');
      assert.match(
        report()?.detail ?? '',
        /^✓ Exchange information: 0 symbols, \d+ ms\.\n\n✓ Account: 1 positions, \d+ ms\.\n\nClock in sync \(difference 0\.\d s\)\.\n\nNot verified, defaults used: firstPage 0, dates epochMs, .* Used 10 API weight\.$/,
      );
    });

    it('and a part of the account cannot be read', async () => {
      await opened('Main', await venue({ upl: null, orders: null }));
      await run(commands.testConnection);
      assert.match(
        report()?.detail ?? '',
        /✓ Account: 1 positions, \d+ ms\.\nA part of the account could not be read: \$\.upl should be a number and is null\.\nA part .*: \$\.orders should be a list and is null\.\n\n/,
      );
    });

    it('and the account is refused, and the clock is wrong', async () => {
      const serverTime = Date.now() - 60_000;
      const server = await serve((request, response) =>
        request.url?.includes('exchangeInfo')
          ? response.end(
              `{"rateLimits":[],"timezone":"UTC","serverTime":${serverTime},"symbols":[]}`,
            )
          : response.writeHead(401).end('{"message":"no such key"}'),
      );
      await setProfiles({ Main: { baseUrl: server.url } });
      await run(commands.setCredentials, 'Main', apiKey, apiSecret);
      await run(commands.testConnection, 'Main');
      assert.match(report()?.text ?? '', / — connected, but the account could not be read\.$/);
      assert.match(report()?.detail ?? '', /✗ Account: .*HTTP 401: “no such key”/);
      assert.match(
        report()?.detail ?? '',
        /clock of the exchange is (?:5[5-9]|6[0-5])\.\d s behind\./,
      );
    });

    it('without credentials, as far as possible', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      await run(commands.testConnection, 'Main');
      assert.match(report()?.detail ?? '', /✓ Exchange.*✗ Account: “Main” has no credentials yet/s);
      assert.deepEqual(
        server.requests.map(({ path }) => path.split('?')[0]),
        ['/api/v1/system/exchangeInfo', '/api/v1/liquidationAuction/history'],
      );
    });

    it('and the exchange cannot be reached', async () => {
      const server = await venue();
      await opened('Main', server);
      await server.close();
      await run(commands.testConnection);
      assert.match(report()?.text ?? '', / — not connected\.$/);
      assert.equal(report()?.detail.match(/ECONNREFUSED/g)?.length, 2);
    });
  });

  describe('have a connection report', () => {
    const exchanges = exchangesOfEachTest();
    const reading = {
      firstPage: 'oneClampsZero',
      dates: ['isoLocal'],
      timezone: 'Europe/Berlin',
    } as const;
    const text = () => vscode.window.activeTextEditor?.document.getText() ?? '';
    afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

    it('from Test Connection, with requests, answers and conclusions', async () => {
      const exchange = await exchanges({ reading, rows: { lots: 60 } });
      await setProfiles({ Main: { baseUrl: exchange.url, dialect: { lists: 'comma' } } });
      await run(commands.setCredentials, 'Main', apiKey, apiSecret);
      messages.answers.push('Show Report');
      await run(commands.testConnection, 'Main');
      assert.match(text(), /^Main · LIVE · http:\/\/127\.0\.0\.1:\d+\nConnection report of /);
      assert.match(
        text(),
        /\nfirstPage {10}1\n {2}Detected on \d{4}-.* UTC\S*\.\n {2}Page 0 returned/,
      );
      assert.match(text(), /\ndates {14}isoLocal\n {2}Detected on /);
      assert.match(text(), /liquidationAuction\/history dateFrom=\S+ dateTo=\S+ page=1 size=500/);
      assert.match(text(), /returned an error \(HTTP 400\)/);
      assert.match(text(), /\nlists {14}comma\n {2}Set by hand\.\n/);
      assert.match(text(), /\nmaxRangeDays {7}null\n {2}Not tested yet, default used/);
      assert.match(text(), /\nEurope\/Berlin\n/);
      assert.match(text(), /\nHARD_LIMIT: 1000 per 1 MINUTE \(enforced\)\n/);
      assert.match(text(), /"firstPage": "auto" \| 0 \| 1/);
      assert.doesNotMatch(text(), /MARKED|signature|timestamp=/);
      assert.ok(exchange.seen('lots').length <= 7);
    });

    it('from a command, without a request, also after the account was closed', async () => {
      const exchange = await exchanges({
        reading,
        rows: { lots: 60 },
        rateLimits: '[{"rateLimitType":"ORDERS","interval":"FORTNIGHT","intervalNum":2,"limit":7}]',
      });
      await setProfiles({ Main: { baseUrl: exchange.url } });
      await run(commands.testConnection, 'Main');
      const sent = exchange.requests.length;
      await run(commands.showConnectionReport, 'Main');
      assert.match(text(), /\ndates {14}isoLocal\n {2}Detected on /);
      assert.match(text(), /ORDERS: 7 per 2 FORTNIGHT \(unknown kind, not enforced\)/);
      assert.match(text(), /DETECTION\n\nLast run on .* UTC\S*, used \d0 API weight\./);
      assert.equal(exchange.requests.length, sent);
    });
  });
});
