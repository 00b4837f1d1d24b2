import assert from 'node:assert/strict';
import { commands } from '../../src/host/contributions.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import type { HostileServer } from '../support/hostileServer.ts';
import { accountReads } from '../support/hostileServer.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { back, escape } from '../support/scriptedInput.ts';

const { apiKey, apiSecret } = markedCredentials;

describe('profiles', () => {
  const { access, messages, input, venue, run, untilRead, profiles, secretOf, marked, remembered } =
    profilesUnderTest();
  const hostOf = ({ url }: HostileServer) => new URL(url).host;

  describe('are added', () => {
    it('in three steps, with defaults for the rest, and opened', async () => {
      const server = await venue();
      input.answers.push(server.url, apiKey, apiSecret);
      await run(commands.addProfile);
      assert.deepEqual(
        input.asked.map(({ title, step, password, stays }) => [title, step, password, stays]),
        [
          ['Add Profile: Base URL', '1/3', false, true],
          ['Add Profile: API Key', '2/3', true, true],
          ['Add Profile: API Secret', '3/3', true, true],
        ],
      );
      const name = hostOf(server);
      await untilRead(name);
      assert.deepEqual(profiles(), { [name]: { baseUrl: server.url, environment: 'live' } });
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
      assert.match(messages.shown[0]?.text ?? '', /was added as a LIVE account/);
      assert.deepEqual(messages.shown[0]?.buttons, ['Edit Profile']);
    });

    it('again for the same host under another name', async () => {
      const server = await venue();
      for (let time = 1; time <= 2; time += 1) {
        input.answers.push(server.url, apiKey, apiSecret);
        await run(commands.addProfile);
      }
      assert.deepEqual(Object.keys(profiles() ?? {}), [hostOf(server), `${hostOf(server)} 2`]);
    });

    it('with a way back that keeps what was typed', async () => {
      const server = await venue();
      input.answers.push(
        'https://wrong.example',
        apiKey,
        back,
        back,
        server.url,
        apiKey,
        apiSecret,
      );
      await run(commands.addProfile);
      assert.deepEqual(
        input.asked.map(({ step }) => step),
        ['1/3', '2/3', '3/3', '2/3', '1/3', '2/3', '3/3'],
      );
      assert.equal(input.asked[4]?.value, 'https://wrong.example');
      await untilRead(hostOf(server));
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
      input.answers.push(...urls, server.url, ...keys, apiKey, ...keys, apiSecret);
      await run(commands.addProfile);
      assert.deepEqual(
        input.asked.map(({ problems }) => problems.length),
        [5, 5, 5],
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
      ['third', ['https://host.example', apiKey]],
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
