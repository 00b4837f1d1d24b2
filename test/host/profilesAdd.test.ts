import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { inEnglish } from '../../src/base/phrase.ts';
import { schemeNames, schemes, type SchemeName } from '../../src/exchange/auth/scheme.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { accountReads, type HostileServer } from '../support/hostileServer.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';
import { back, escape, type Answer } from '../support/scriptedInput.ts';

const { apiKey, apiSecret } = markedCredentials;

const labels = Object.fromEntries(
  schemeNames.map((name) => [name, inEnglish(schemes[name].label)]),
) as Readonly<Record<SchemeName, string>>;

type Written = {
  readonly baseUrl: string;
  readonly auth: { readonly scheme: string; readonly custom: { readonly headers: object } };
};

/** What is said of an exchange without any lots. */
const connected = 'Connected. 1 position.';

const information = () =>
  `{"rateLimits":[],"timezone":"UTC","serverTime":${Date.now()},"symbols":[]}`;

describe('profiles', () => {
  const desk = profilesUnderTest();
  const progress = scriptedProgress();
  const { access, messages, input, serve, venue, run, untilRead, setProfiles, profiles } = desk;
  const { secretOf, marked, remembered, shownText, accountState, credentialsOf } = desk;
  const add = (...answers: Answer[]) => run(commands.addProfile, ...answers);
  const hostOf = ({ url }: HostileServer) => new URL(url).hostname;
  /** What is typed and picked after the credentials: the proposed name, LIVE and all orders. */
  const lastSteps = (server: HostileServer) => [hostOf(server), 'LIVE', 'Allow Cancel All Orders'];
  const written = (server: HostileServer, scheme: string) => ({
    baseUrl: server.url,
    environment: 'live',
    readOnly: false,
    auth: { scheme },
  });

  describe('are added', () => {
    it('in seven steps, opened and tested', async () => {
      const server = await venue();
      await add(server.url, labels.hmacQuery, apiKey, apiSecret, ...lastSteps(server));
      assert.deepEqual(
        input.asked.map(({ title, step, password, stays }) => [title, step, password, stays]),
        [
          ['Add Profile: Base URL', '1/7', false, true],
          ['Add Profile: Authentication', '2/7', false, true],
          ['Add Profile: API Key', '3/7', true, true],
          ['Add Profile: API Secret', '4/7', true, true],
          ['Add Profile: Name', '5/7', false, true],
          ['Add Profile: Environment', '6/7', false, true],
          ['Add Profile: Access', '7/7', false, true],
        ],
      );
      const { items = [], value } = input.asked.at(-1) ?? {};
      const choices = [...items.map(({ label }) => label), value];
      assert.deepEqual(
        choices,
        ['Read-only', 'Allow Cancel All Orders', ''],
        'none is preselected',
      );
      assert.equal(input.asked.at(-2)?.value, 'LIVE');
      const name = hostOf(server);
      await untilRead(name);
      assert.deepEqual(profiles(), { [name]: written(server, 'hmacQuery') });
      const kept = { v: 1, origin: server.url, apiKey, apiSecret };
      assert.deepEqual(await credentialsOf(name), kept);
      assert.deepEqual(marked(), [name]);
      assert.equal(remembered(), name);
      assert.equal(accountReads(server)[0]?.headers['x-api-key'], apiKey);
      assert.match(access().app.statusItem.item.text, /LIVE 12,012\.5/);
      assert.deepEqual(
        messages.shown.map(({ text }) => text),
        [`LIVE · ${name} — ${connected}`],
      );
      assert.ok(
        progress.titles.includes('Testing the connection, with at most 12 requests…'),
        progress.titles.join(),
      );
    });

    it('and a failed sign-in is one message, from which other credentials are tested', async () => {
      const server = await serve((request, response) =>
        request.url?.includes('exchangeInfo')
          ? response.end(information())
          : request.headers['x-api-key'] === apiKey
            ? response.end(wire(anAccount()))
            : response.writeHead(401).end('{"message":"no such key"}'),
      );
      messages.answers.push('Set Credentials…');
      input.answers.push(server.url, labels.apiKeyHeader, 'wrong', ...lastSteps(server), apiKey);
      await run(commands.addProfile);
      const name = hostOf(server);
      assert.deepEqual(
        messages.shown.map(({ text, buttons }) => [text, buttons]),
        [
          [messages.shown[0]?.text ?? '', ['Set Credentials…', 'Show Report']],
          [`LIVE · ${name} — ${connected}`, ['Show Report']],
        ],
      );
      assert.match(shownText(0), / — Connected, but sign-in failed\. .*HTTP 401: “no such key”/);
      assert.ok(messages.shown.every(({ modal }) => !modal));
      assert.match(input.asked.at(-1)?.title ?? '', /^Credentials of /);
      await untilRead(name);
    });

    describe('as custom', () => {
      const editor = () => vscode.window.activeTextEditor;
      afterEach(() => run('workbench.action.closeAllEditors'));

      it('with a template in settings.json, before anything is asked or sent', async () => {
        const server = await venue();
        await add(server.url, labels.custom, ...lastSteps(server));
        const name = hostOf(server);
        const { baseUrl, auth } = (profiles() as Record<string, Written>)[name] ?? {};
        assert.equal(baseUrl, server.url);
        assert.equal(auth?.scheme, 'custom');
        assert.partialDeepStrictEqual(auth.custom.headers, { 'X-SIGNATURE': '{signature}' });
        assert.equal(input.asked.length, 5);
        assert.match(shownText(0), /was added as a LIVE account\. .*under auth\.custom/);
        assert.deepEqual(messages.shown[0]?.buttons, ['Open Account']);
        await eventually('the profile in settings.json', () => {
          const { document, selection } = editor() ?? {};
          return selection && document?.getText(selection) === JSON.stringify(name);
        });
        assert.equal(accountState().kind, 'closed');
        assert.deepEqual(server.requests, []);
      });
    });

    it('with a Back button that keeps what was typed, but no credentials of another scheme', async () => {
      const server = await venue();
      const wrong = 'https://wrong.example';
      input.answers.push(wrong, labels.apiKeyHeader, back, back, server.url, labels.hmacQuery);
      await add(apiKey, back, back, labels.apiKeyHeader, apiKey, ...lastSteps(server));
      assert.deepEqual(
        input.asked.slice(0, 11).map(({ step, value }) => `${step} ${value}`),
        [
          ...['1/7 ', `2/7 ${labels.hmacQuery}`, '3/6 ', `2/6 ${labels.apiKeyHeader}`],
          ...[`1/6 ${wrong}`, `2/6 ${labels.apiKeyHeader}`, '3/7 ', '4/7 ', `3/7 ${apiKey}`],
          ...[`2/7 ${labels.hmacQuery}`, `3/6 ${apiKey}`],
        ],
      );
      await untilRead(hostOf(server));
      const kept = { v: 1, origin: server.url, apiKey };
      assert.deepEqual(await credentialsOf(hostOf(server)), kept);
    });

    it('only if every answer is valid; a wrong one is reported in place, without its text', async () => {
      const server = await venue();
      await setProfiles({ Taken: { baseUrl: 'https://x.example' } });
      const urls = ['', 'host', 'http://host.example', 'https://MARKED@host'];
      urls.push(`${server.url}?MARKED`);
      const keys = ['', ' MARKED', 'MARKED\r\nx: y', 'MARKED\u20ac', 'M'.repeat(5000)];
      input.answers.push(...urls, server.url, labels.hmacQuery, ...keys, apiKey, ...keys);
      await add(apiSecret, 'Taken', 'practice', 'Practice\u3164', ...lastSteps(server));
      const counts = input.asked.map(({ problems }) => problems.length);
      assert.deepEqual(counts, [5, 0, 5, 5, 3, 0, 0]);
      for (const problem of input.asked.slice(0, 4).flatMap(({ problems }) => problems)) {
        assert.match(
          problem,
          /^The (?:base URL|API key|API secret) [^\n]*(?:: |\. )[^\n]*\.$|^The base URL must /,
        );
        assert.doesNotMatch(problem, /MARKED/);
      }
      await untilRead(hostOf(server));
    });

    const steps = ['https://host.example', labels.hmacQuery, apiKey, apiSecret, 'Mine', 'LIVE'];
    for (const step of [1, 2, 3, 4, 5, 6, 7])
      it(`not at all if cancelled at step ${step}`, async () => {
        await add(...steps.slice(0, step - 1), escape);
        assert.equal(input.asked.length, step);
        assert.equal(profiles(), undefined);
        assert.deepEqual(marked(), []);
        for (const name of ['Mine', 'host.example']) assert.equal(await secretOf(name), undefined);
        assert.equal(accountState().kind, 'closed');
        assert.equal(remembered(), undefined);
        assert.deepEqual(messages.shown, []);
      });
  });
});
