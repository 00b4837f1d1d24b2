import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, aPosition, wire } from '../support/builders.ts';
import {
  activatedExtension,
  hoverText,
  openAt,
  positionRows,
} from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const rejectedCredentials =
  /Could not read the account: the exchange rejected the credentials \(HTTP 401: “unknown key”\)\.$/;
const htmlPage = /does not match the API: the answer is an HTML page\. Check the base URL/;
const refusedWithLink = /refused the request \(HTTP 400: “\[x\] \(command:quit\)”\)/;

describe('bad input', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const access = activatedExtension();

  const serveText = (text: string) => serve((_request, response) => response.end(text));
  const message = (): string => access.app.positions.view.message ?? '';
  const status = () => access.app.statusItem.item;

  const answers: [string, number, string, RegExp][] = [
    ['wrong credentials', 401, '{"message":"unknown key"}', rejectedCredentials],
    ['an HTML page', 200, '<html>', htmlPage],
    [
      'a 500 without words',
      500,
      '',
      /the exchange returned an error \(HTTP 500\)\. Try again later/,
    ],
    ['a missing field', 200, '{}', /the API: \$\.upl should be a number and is missing\./],
    ['an array as error body', 400, '["[x](command:quit)\\u202e"]', refusedWithLink],
  ];
  for (const [name, code, body, sentence] of answers) {
    it(`is one sentence in the view for ${name}, and an unknown equity is not shown as zero`, async () => {
      const server = await serve((_request, response) => response.writeHead(code).end(body));
      await openAt(access, server.url);
      assert.match(message(), sentence);
      assert.equal(message().split('\n').length, 1);
      assert.deepEqual(positionRows(access), []);
      assert.equal(status().text, '$(warning) TEST —');
      // The hover has no buttons: it says what to do as well.
      const anywhere = new RegExp(sentence.source.replace(/\$$/, ''));
      assert.match(hoverText(status().tooltip), anywhere);
      assert.ok(status().backgroundColor);
      assert.deepEqual(messages.shown, []);
    });
  }

  it('names a pause of the exchange, and until when', async () => {
    const server = await serve((request, response) =>
      request.url?.startsWith('/api/v1/system')
        ? response.writeHead(404).end()
        : response.writeHead(429, { 'retry-after': '120' }).end(),
    );
    await openAt(access, server.url);
    assert.match(message(), /rate limited by the exchange .* Try again in 120 s\./);
    const hover = hoverText(status().tooltip);
    assert.match(
      hover,
      /^API weight: \d+ \/ 500 \(limit 1,000 per 60 s\).* · paused by the exchange until \d\d:\d\d:\d\d UTC\S*$/m,
    );
  });

  it('is one sentence for an unreachable host', async () => {
    const server = await serve(() => undefined);
    await server.close();
    await openAt(access, server.url);
    assert.match(
      message(),
      /^Could not read the account: the connection failed \(ECONNREFUSED\)\. Check the network/,
    );
  });

  it('is one sentence for an invalid base URL, and nothing is sent', async () => {
    await assert.rejects(openAt(access, 'http://host.example'));
    assert.match(message(), /^The base URL must begin with https:\/\//);
    assert.equal(status().text, '$(warning) LIVE —');
    assert.match(hoverText(status().tooltip), /^Problem: The base URL must begin with/m);
  });

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

  it('names a position that cannot be read and shows the others', async () => {
    const half = wire(aPosition({ symbol: 'eth_usdt' })).replace(
      '"amount":0.25',
      '"amount":"half"',
    );
    const bad = `${half},null`;
    const text = wire(anAccount()).replace('"positions":[', `"positions":[${bad},`);
    const server = await serveText(text);
    await openAt(access, server.url);
    const labels = positionRows(access).map(({ label }) => label);
    assert.deepEqual(labels, ['eth_usdt', 'btc_usdt']);
    assert.match(
      message(),
      /could not be read: \$\.positions\[0\]\.amount should be a number and is "half"\..*\$\.positions\[1\] should be an object and is null\./,
    );
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
