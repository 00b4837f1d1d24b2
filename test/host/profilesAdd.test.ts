import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import type { HostileServer } from '../support/hostileServer.ts';
import { accountReads } from '../support/hostileServer.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { back, escape } from '../support/scriptedInput.ts';

const { apiKey, apiSecret } = markedCredentials;

type Written = {
  readonly baseUrl: string;
  readonly auth: {
    readonly scheme: string;
    readonly custom: { readonly headers: Readonly<Record<string, string>> };
  };
};

describe('profiles', () => {
  const {
    access,
    messages,
    input,
    venue,
    run,
    untilRead,
    setProfiles,
    profiles,
    secretOf,
    marked,
    remembered,
  } = profilesUnderTest();
  const hostOf = ({ url }: HostileServer) => new URL(url).host;

  describe('are added', () => {
    it('in four steps, with defaults for the rest, and opened', async () => {
      const server = await venue();
      input.answers.push(server.url, 'hmacQuery', apiKey, apiSecret);
      await run(commands.addProfile);
      assert.deepEqual(
        input.asked.map(({ title, step, password, stays }) => [title, step, password, stays]),
        [
          ['Add Profile: Base URL', '1/4', false, true],
          ['Add Profile: Scheme', '2/4', false, true],
          ['Add Profile: API Key', '3/4', true, true],
          ['Add Profile: API Secret', '4/4', true, true],
        ],
      );
      const name = hostOf(server);
      await untilRead(name);
      assert.deepEqual(profiles(), {
        [name]: { baseUrl: server.url, environment: 'live', auth: { scheme: 'hmacQuery' } },
      });
      assert.deepEqual(JSON.parse((await secretOf(name)) ?? ''), {
        v: 1,
        origin: server.url,
        apiKey,
        apiSecret,
      });
      assert.deepEqual(marked(), [name]);
      assert.equal(remembered(), name);
      assert.equal(accountReads(server)[0]?.headers['x-api-key'], apiKey);
      assert.match(access().app.equity.item.text, /LIVE 12,012\.50/);
    });

    const schemes: [scheme: string, asked: string[], sent: RegExp][] = [
      ['none', [], /^No credentials/],
      ['bearer', ['Token'], /token in the header Authorization/],
      ['basic', ['User Name', 'Password'], /password in the header Authorization/],
      ['apiKeyHeader', ['API Key'], /key in a header/],
      ['hmacQuery', ['API Key', 'API Secret'], /key in a header; .* in the query/],
      ['hmacHeaders', ['API Key', 'API Secret'], /Key, time and .* in headers/],
      ['hmacIsoPassphrase', ['API Key', 'API Secret', 'Passphrase'], /passphrase in headers/],
    ];
    for (const [scheme, asked, sent] of schemes)
      it(`as ${scheme}, asking for what the list says and nothing else`, async () => {
        const server = await venue();
        input.answers.push(server.url, scheme, ...asked.map((_, index) => `answer-${index}`));
        await run(commands.addProfile);
        await untilRead(hostOf(server));
        const total = 2 + asked.length;
        assert.deepEqual(
          input.asked.slice(2).map(({ title, step, password }) => [title, step, password]),
          asked.map((title, index) => [`Add Profile: ${title}`, `${3 + index}/${total}`, true]),
        );
        const item = input.asked[1]?.items.find(({ label }) => label === scheme);
        assert.equal(item?.description, `asks for ${asked.join(', ') || 'nothing'}`);
        assert.match(item.detail ?? '', sent);
        assert.deepEqual(Object.values(profiles() ?? {}), [
          { baseUrl: server.url, environment: 'live', auth: { scheme } },
        ]);
        const kept = JSON.parse((await secretOf(hostOf(server))) ?? '{}') as object;
        assert.equal(Object.keys(kept).length, asked.length === 0 ? 0 : 2 + asked.length);
        assert.deepEqual(marked(), asked.length === 0 ? [] : [hostOf(server)]);
      });

    it('from a list of every scheme, with the usual one at hand', async () => {
      input.answers.push('https://host.example');
      await run(commands.addProfile);
      const { items = [], value, prompt } = input.asked[1] ?? {};
      assert.deepEqual(
        items.map(({ label }) => label),
        [...schemes.map(([scheme]) => scheme), 'custom'],
      );
      assert.equal(value, 'hmacQuery');
      assert.match(prompt ?? '', /How does the exchange authenticate/);
    });

    it('and tested when the message that offers it is answered', async () => {
      const server = await venue();
      input.answers.push(server.url, 'none');
      messages.answers.push('Test Connection');
      await run(commands.addProfile);
      const [added, tested] = messages.shown;
      assert.match(added?.text ?? '', /was added as a LIVE account\. .*at most 70 of the limit/);
      assert.deepEqual(added?.buttons, ['Test Connection', 'Edit Profile']);
      assert.equal(tested?.text, `${hostOf(server)} · LIVE — the connection works.`);
    });

    it('and tested itself, though another was opened while the message stood', async () => {
      const server = await venue();
      input.answers.push(server.url, 'none', 'Practice');
      messages.answers.push(async () => {
        await run(commands.switchProfile);
        return 'Test Connection';
      });
      await run(commands.addProfile);
      assert.match(messages.shown.at(-1)?.text ?? '', new RegExp(`^${hostOf(server)} · LIVE`));
    });

    describe('as custom', () => {
      const editor = () => vscode.window.activeTextEditor;
      afterEach(() => run('workbench.action.closeAllEditors'));

      it('with a template that settings.json opens at, and nothing asked or sent before', async () => {
        const server = await venue();
        input.answers.push(server.url, 'custom');
        await run(commands.addProfile);
        const name = hostOf(server);
        const { baseUrl, auth } = (profiles() as Record<string, Written>)[name] ?? {};
        assert.equal(baseUrl, server.url);
        assert.equal(auth?.scheme, 'custom');
        assert.deepEqual(auth.custom.headers['X-SIGNATURE'], '{signature}');
        assert.equal(input.asked.length, 2);
        assert.match(messages.shown[0]?.text ?? '', /is not open yet\. .*under auth\.custom/);
        assert.deepEqual(messages.shown[0]?.buttons, ['Open Account']);
        await eventually('the profile in settings.json', () => {
          const { document, selection } = editor() ?? {};
          return selection && document?.getText(selection) === JSON.stringify(name);
        });
        assert.equal(access().app.active.state.kind, 'closed');
        assert.deepEqual(server.requests, []);
      });

      it('and opened from the message, with what the template asks for', async () => {
        const server = await venue();
        input.answers.push(server.url, 'custom', 'tok.en');
        messages.answers.push(async () => {
          const custom = { headers: { 'X-Token': '{token}' } };
          await setProfiles({
            [hostOf(server)]: { baseUrl: server.url, auth: { scheme: 'custom', custom } },
          });
          return 'Open Account';
        });
        await run(commands.addProfile);
        await untilRead(hostOf(server));
        assert.match(input.asked.at(-1)?.title ?? '', /^Credentials of .*: Token$/);
        assert.equal(accountReads(server)[0]?.headers['x-token'], 'tok.en');
        assert.deepEqual(messages.shown.at(-1)?.buttons, ['Test Connection', 'Edit Profile']);
      });

      it('and not tested when its credentials are not entered', async () => {
        const server = await venue();
        input.answers.push(server.url, 'custom', escape);
        messages.answers.push('Open Account');
        await run(commands.addProfile);
        assert.equal(messages.shown.length, 1);
        assert.deepEqual(server.requests, []);
      });
    });

    it('again for the same host under another name', async () => {
      const server = await venue();
      for (let time = 1; time <= 2; time += 1) {
        input.answers.push(server.url, 'hmacQuery', apiKey, apiSecret);
        await run(commands.addProfile);
      }
      assert.deepEqual(Object.keys(profiles() ?? {}), [hostOf(server), `${hostOf(server)} 2`]);
    });

    it('with a way back that keeps what was typed', async () => {
      const server = await venue();
      const wrong = 'https://wrong.example';
      input.answers.push(wrong, 'apiKeyHeader', back, back, server.url, 'hmacQuery');
      input.answers.push(apiKey, back, back, 'apiKeyHeader', apiKey);
      await run(commands.addProfile);
      assert.deepEqual(
        input.asked.map(({ step, value }) => [step, value]),
        [
          ['1/4', ''],
          ['2/4', 'hmacQuery'],
          ['3/3', ''],
          ['2/3', 'apiKeyHeader'],
          ['1/3', wrong],
          ['2/3', 'apiKeyHeader'],
          ['3/4', ''],
          ['4/4', ''],
          ['3/4', apiKey],
          ['2/4', 'hmacQuery'],
          ['3/3', apiKey],
        ],
      );
      await untilRead(hostOf(server));
    });

    it('without what was typed for a scheme that was then left', async () => {
      const server = await venue();
      input.answers.push(server.url, 'basic', 'user', back, back, 'apiKeyHeader', apiKey);
      await run(commands.addProfile);
      await untilRead(hostOf(server));
      const kept: unknown = JSON.parse((await secretOf(hostOf(server))) ?? '');
      assert.deepEqual(kept, { v: 1, origin: server.url, apiKey });
    });

    it('not before every answer is sound; each wrong one is told in place, without its text', async () => {
      const server = await venue();
      const urls = [
        '',
        'host',
        'http://host.example',
        'https://MARKED@host',
        `${server.url}?MARKED`,
      ];
      const keys = ['', ' MARKED', 'MARKED\r\nx: y', 'MARKED\u20ac', 'M'.repeat(5000)];
      input.answers.push(...urls, server.url, 'hmacQuery', ...keys, apiKey, ...keys, apiSecret);
      await run(commands.addProfile);
      assert.deepEqual(
        input.asked.map(({ problems }) => problems.length),
        [5, 0, 5, 5],
      );
      for (const problem of input.asked.flatMap(({ problems }) => problems)) {
        assert.match(
          problem,
          /^The (?:base URL|API key|API secret) [^\n]*: [^\n]*\.$|^The base URL must begin/,
        );
        assert.doesNotMatch(problem, /MARKED/);
      }
      await untilRead(hostOf(server));
    });

    for (const [step, answers] of [
      ['first', []],
      ['second', ['https://host.example']],
      ['third', ['https://host.example', 'hmacQuery']],
      ['fourth', ['https://host.example', 'hmacQuery', apiKey]],
    ] as const)
      it(`not at all when given up at the ${step} step`, async () => {
        input.answers.push(...answers, escape);
        await run(commands.addProfile);
        assert.equal(profiles(), undefined);
        assert.deepEqual(marked(), []);
        assert.equal(await secretOf('host.example'), undefined);
        assert.equal(access().app.active.state.kind, 'closed');
        assert.equal(remembered(), undefined);
        assert.deepEqual(messages.shown, []);
      });
  });
});
