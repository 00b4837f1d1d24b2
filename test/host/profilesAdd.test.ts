import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { accountReads, type HostileServer } from '../support/hostileServer.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { back, escape, type Answer } from '../support/scriptedInput.ts';

const { apiKey, apiSecret } = markedCredentials;

type Written = {
  readonly baseUrl: string;
  readonly auth: { readonly scheme: string; readonly custom: { readonly headers: object } };
};

describe('profiles', () => {
  const desk = profilesUnderTest();
  const { access, messages, input, venue, run, untilRead, setProfiles, profiles } = desk;
  const { secretOf, marked, remembered, shownText, accountState, credentialsOf } = desk;
  const add = (...answers: Answer[]) => run(commands.addProfile, ...answers);
  const hostOf = ({ url }: HostileServer) => new URL(url).host;

  describe('are added', () => {
    it('in four steps, with defaults for the rest, and opened', async () => {
      const server = await venue();
      await add(server.url, 'hmacQuery', apiKey, apiSecret);
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
      const kept = { v: 1, origin: server.url, apiKey, apiSecret };
      assert.deepEqual(await credentialsOf(name), kept);
      assert.deepEqual(marked(), [name]);
      assert.equal(remembered(), name);
      assert.equal(accountReads(server)[0]?.headers['x-api-key'], apiKey);
      assert.match(access().app.statusItem.item.text, /LIVE 12,012\.50/);
    });

    const schemes: [scheme: string, asked: string[], sent: RegExp][] = [
      ['none', [], /^No credentials/],
      ['bearer', ['Token'], /Token in the Authorization header/],
      ['basic', ['User Name', 'Password'], /password in the Authorization header/],
      ['apiKeyHeader', ['API Key'], /Key in a header, no signature/],
      ['hmacQuery', ['API Key', 'API Secret'], /Key in a header, .* in the query/],
      ['hmacHeaders', ['API Key', 'API Secret'], /Key, timestamp and .* in headers/],
      ['hmacIsoPassphrase', ['API Key', 'API Secret', 'Passphrase'], /passphrase in headers/],
    ];
    for (const [scheme, asked, sent] of schemes)
      it(`as ${scheme}, asking only for the credentials in the list`, async () => {
        const server = await venue();
        await add(server.url, scheme, ...asked.map((_, index) => `answer-${index}`));
        await untilRead(hostOf(server));
        const total = 2 + asked.length;
        assert.deepEqual(
          input.asked.slice(2).map(({ title, step, password }) => [title, step, password]),
          asked.map((title, index) => [`Add Profile: ${title}`, `${3 + index}/${total}`, true]),
        );
        const item = input.asked[1]?.items.find(({ label }) => label === scheme);
        assert.equal(item?.description, asked.join(' + ') || 'no credentials');
        assert.match(item.detail ?? '', sent);
        assert.deepEqual(Object.values(profiles() ?? {}), [
          { baseUrl: server.url, environment: 'live', auth: { scheme } },
        ]);
        const kept = await credentialsOf(hostOf(server));
        assert.equal(Object.keys(kept ?? {}).length, asked.length === 0 ? 0 : 2 + asked.length);
        assert.deepEqual(marked(), asked.length === 0 ? [] : [hostOf(server)]);
      });

    it('from a list of every scheme, with the default preselected', async () => {
      await add('https://host.example');
      const { items = [], value, prompt } = input.asked[1] ?? {};
      const labels = items.map(({ label }) => label);
      assert.deepEqual(labels, [...schemes.map(([scheme]) => scheme), 'custom']);
      assert.equal(value, 'hmacQuery');
      assert.match(prompt ?? '', /^Authentication method/);
    });

    it('and tested from the message', async () => {
      const server = await venue();
      messages.answers.push('Test Connection');
      await add(server.url, 'none');
      const [added, tested] = messages.shown;
      assert.match(added?.text ?? '', /was added as a LIVE account\. .*up to 70 API weight/);
      assert.deepEqual(added?.buttons, ['Test Connection', 'Edit Profile']);
      assert.equal(tested?.text, `${hostOf(server)} · LIVE — connected.`);
    });

    it('and tested, even if another was opened while the message was shown', async () => {
      const server = await venue();
      input.answers.push(server.url, 'none', 'Practice');
      messages.answers.push(async () => {
        await run(commands.switchProfile);
        return 'Test Connection';
      });
      await run(commands.addProfile);
      assert.match(shownText(), new RegExp(`^${hostOf(server)} · LIVE`));
    });

    describe('as custom', () => {
      const editor = () => vscode.window.activeTextEditor;
      afterEach(() => run('workbench.action.closeAllEditors'));

      it('with a template in settings.json, before anything is asked or sent', async () => {
        const server = await venue();
        await add(server.url, 'custom');
        const name = hostOf(server);
        const { baseUrl, auth } = (profiles() as Record<string, Written>)[name] ?? {};
        assert.equal(baseUrl, server.url);
        assert.equal(auth?.scheme, 'custom');
        assert.partialDeepStrictEqual(auth.custom.headers, { 'X-SIGNATURE': '{signature}' });
        assert.equal(input.asked.length, 2);
        assert.match(shownText(0), /was added as a LIVE account\. .*under auth\.custom/);
        assert.deepEqual(messages.shown[0]?.buttons, ['Open Account']);
        await eventually('the profile in settings.json', () => {
          const { document, selection } = editor() ?? {};
          return selection && document?.getText(selection) === JSON.stringify(name);
        });
        assert.equal(accountState().kind, 'closed');
        assert.deepEqual(server.requests, []);
      });

      it('and opened from the message, asking for what the template needs', async () => {
        const server = await venue();
        input.answers.push(server.url, 'custom', 'tok.en');
        messages.answers.push(async () => {
          const auth = { scheme: 'custom', custom: { headers: { 'X-Token': '{token}' } } };
          await setProfiles({ [hostOf(server)]: { baseUrl: server.url, auth } });
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
        messages.answers.push('Open Account');
        await add(server.url, 'custom', escape);
        assert.equal(messages.shown.length, 1);
        assert.deepEqual(server.requests, []);
      });
    });

    it('again for the same host under another name', async () => {
      const server = await venue();
      for (let time = 1; time <= 2; time += 1) {
        await add(server.url, 'hmacQuery', apiKey, apiSecret);
      }
      assert.deepEqual(Object.keys(profiles() ?? {}), [hostOf(server), `${hostOf(server)} 2`]);
    });

    it('with a Back button that keeps what was typed', async () => {
      const server = await venue();
      const wrong = 'https://wrong.example';
      input.answers.push(wrong, 'apiKeyHeader', back, back, server.url, 'hmacQuery');
      await add(apiKey, back, back, 'apiKeyHeader', apiKey);
      assert.deepEqual(
        input.asked.map(({ step, value }) => `${step} ${value}`),
        [
          ...['1/4 ', '2/4 hmacQuery', '3/3 ', '2/3 apiKeyHeader', `1/3 ${wrong}`],
          ...['2/3 apiKeyHeader', '3/4 ', '4/4 ', `3/4 ${apiKey}`, '2/4 hmacQuery'],
          `3/3 ${apiKey}`,
        ],
      );
      await untilRead(hostOf(server));
    });

    it('without credentials typed for a scheme that was then changed', async () => {
      const server = await venue();
      await add(server.url, 'basic', 'user', back, back, 'apiKeyHeader', apiKey);
      await untilRead(hostOf(server));
      const kept = { v: 1, origin: server.url, apiKey };
      assert.deepEqual(await credentialsOf(hostOf(server)), kept);
    });

    it('only if every answer is valid; a wrong one is reported in place, without its text', async () => {
      const server = await venue();
      const urls = ['', 'host', 'http://host.example', 'https://MARKED@host'];
      urls.push(`${server.url}?MARKED`);
      const keys = ['', ' MARKED', 'MARKED\r\nx: y', 'MARKED\u20ac', 'M'.repeat(5000)];
      await add(...urls, server.url, 'hmacQuery', ...keys, apiKey, ...keys, apiSecret);
      const counts = input.asked.map(({ problems }) => problems.length);
      assert.deepEqual(counts, [5, 0, 5, 5]);
      for (const problem of input.asked.flatMap(({ problems }) => problems)) {
        assert.match(
          problem,
          /^The (?:base URL|API key|API secret) [^\n]*(?:: |\. )[^\n]*\.$|^The base URL must /,
        );
        assert.doesNotMatch(problem, /MARKED/);
      }
      await untilRead(hostOf(server));
    });

    for (const step of [1, 2, 3, 4])
      it(`not at all if cancelled at step ${step}`, async () => {
        await add(...['https://host.example', 'hmacQuery', apiKey].slice(0, step - 1), escape);
        assert.equal(profiles(), undefined);
        assert.deepEqual(marked(), []);
        assert.equal(await secretOf('host.example'), undefined);
        assert.equal(accountState().kind, 'closed');
        assert.equal(remembered(), undefined);
        assert.deepEqual(messages.shown, []);
      });
  });
});
