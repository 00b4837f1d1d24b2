import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { inEnglish } from '../../src/base/phrase.ts';
import { schemeNames, schemes, type SchemeName } from '../../src/exchange/auth/scheme.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { accountReads, type HostileServer } from '../support/hostileServer.ts';
import { folderOfEachTest } from '../support/project.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';
import { back, escape, typedOnly, type Answer } from '../support/scriptedInput.ts';

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

    const added: [scheme: SchemeName, asked: string[], sent: RegExp][] = [
      ['none', [], /^No credentials/],
      ['bearer', ['Token'], /Token in the Authorization header/],
      ['basic', ['User Name', 'Password'], /password in the Authorization header/],
      ['apiKeyHeader', ['API Key'], /Key in a header, no signature/],
      ['hmacQuery', ['API Key', 'API Secret'], /Key in a header, .* in the query/],
      ['hmacHeaders', ['API Key', 'API Secret'], /Key, timestamp and .* in headers/],
      ['hmacIsoPassphrase', ['API Key', 'API Secret', 'Passphrase'], /passphrase in headers/],
    ];
    for (const [scheme, asked, sent] of added)
      it(`as “${labels[scheme]}”, asking only for the credentials in the list`, async () => {
        const server = await venue();
        const typed = asked.map((_, index) => `answer-${index}`);
        await add(server.url, labels[scheme], ...typed, ...lastSteps(server));
        await untilRead(hostOf(server));
        const total = 5 + asked.length;
        assert.deepEqual(
          input.asked.slice(2, -3).map(({ title, step, password }) => [title, step, password]),
          asked.map((title, index) => [`Add Profile: ${title}`, `${3 + index}/${total}`, true]),
        );
        const item = input.asked[1]?.items.find(({ label }) => label === labels[scheme]);
        assert.match(item?.detail ?? '', sent);
        const [, needed = ''] = labels[scheme].split(' — ');
        assert.equal(needed.split(' + ').length, Math.max(asked.length, 1));
        assert.deepEqual(Object.values(profiles() ?? {}), [written(server, scheme)]);
        const kept = await credentialsOf(hostOf(server));
        assert.equal(Object.keys(kept ?? {}).length, asked.length === 0 ? 0 : 2 + asked.length);
        assert.deepEqual(marked(), asked.length === 0 ? [] : [hostOf(server)]);
      });

    describe('with a private key', () => {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const folder = folderOfEachTest();
      const keyFile = (text = pem): string => {
        const file = join(folder.path, `${randomUUID()}.pem`);
        writeFileSync(file, text);
        return file;
      };
      const kinds = () => input.asked.map(({ kind }) => kind);

      it('from its file, and sign with it', async () => {
        const server = await venue();
        await add(server.url, labels.ed25519Query, apiKey, keyFile(), ...lastSteps(server));
        const name = hostOf(server);
        await untilRead(name);
        assert.deepEqual(kinds(), ['input', 'pick', 'input', 'file', 'input', 'pick', 'pick']);
        assert.equal(input.asked[3]?.title, 'Add Profile: Private Key');
        assert.deepEqual(profiles(), { [name]: written(server, 'ed25519Query') });
        const kept = { v: 1, origin: server.url, apiKey, privateKey: pem.trim() };
        assert.deepEqual(await credentialsOf(name), kept);
        const { path = '' } = accountReads(server)[0] ?? {};
        const [, query = '', signature = ''] = /\?(.*)&signature=(.*)$/.exec(path) ?? [];
        const sent = Buffer.from(decodeURIComponent(signature), 'base64');
        assert.ok(verify(null, Buffer.from(query), publicKey, sent));
      });

      it('or go back one step if the dialog is closed', async () => {
        const server = await venue();
        input.answers.push(server.url, labels.ed25519Query, apiKey, escape);
        await add(apiKey, keyFile(), ...lastSteps(server));
        await untilRead(hostOf(server));
        assert.deepEqual(kinds().slice(2, 6), ['input', 'file', 'input', 'file']);
        assert.equal(input.asked[4]?.value, apiKey);
      });

      it('of another file if the first is no key, without losing an answer', async () => {
        const server = await venue();
        messages.answers.push('Choose Another File');
        input.answers.push(server.url, labels.ed25519Query, apiKey, keyFile('MARKED'));
        await add(keyFile(), ...lastSteps(server));
        await untilRead(hostOf(server));
        assert.match(shownText(0), /^The private key cannot be read: choose a PEM file/);
        assert.doesNotMatch(shownText(0), /MARKED/);
        assert.ok(messages.shown[0]?.modal);
        assert.deepEqual(kinds().slice(2, 5), ['input', 'file', 'file']);
      });
    });

    it('from a list of every scheme, with the default preselected', async () => {
      await add('https://host.example');
      const { items = [], value, prompt } = input.asked[1] ?? {};
      assert.deepEqual(
        items.map(({ label }) => label),
        Object.values(labels),
      );
      assert.equal(value, labels.hmacQuery);
      assert.match(prompt ?? '', /^Authentication method/);
    });

    it('as a TEST profile that is read-only, under a name of your own', async () => {
      const server = await venue();
      await add(server.url, labels.none, 'Mine', 'TEST', 'Read-only');
      await untilRead('Mine');
      assert.deepEqual(profiles(), {
        Mine: { ...written(server, 'none'), environment: 'test', readOnly: true },
      });
      assert.equal(shownText(), `TEST · Mine — ${connected}`);
    });

    it('with a choice between read-only and cancelling that nothing preselects', async () => {
      await add('https://host.example', labels.none, 'Mine', 'LIVE');
      const { items = [], value } = input.asked.at(-1) ?? {};
      assert.deepEqual(
        items.map(({ label }) => label),
        ['Read-only', 'Allow Cancel All Orders'],
      );
      assert.equal(value, '');
      assert.equal(input.asked.at(-2)?.value, 'LIVE');
    });

    it('under a name that no other profile has and that imitates none', async () => {
      const server = await venue();
      await setProfiles({ Taken: { baseUrl: 'https://x.example' } });
      const names = ['Taken', 'practice', '', ' Mine', 'Practice\u3164'];
      await add(server.url, labels.none, ...names, 'Mine', 'LIVE', 'Read-only');
      const { problems = [], value } = input.asked[2] ?? {};
      assert.equal(value, hostOf(server));
      assert.match(problems[0] ?? '', /Another profile has this name/);
      assert.equal(problems.length, names.length);
      assert.deepEqual(Object.keys(profiles() ?? {}), ['Taken', 'Mine']);
    });

    it('and tested, even if another account is opened meanwhile', async () => {
      let opening: Promise<unknown> | undefined;
      const server = await serve((request, response) => {
        if (!request.url?.includes('exchangeInfo')) return response.end(wire(anAccount()));
        opening ??= access().app.connection.open('Practice');
        void opening.then(() => response.end(information()));
        return response;
      });
      await add(server.url, labels.none, ...lastSteps(server));
      await untilRead('Practice');
      assert.equal(shownText(), `LIVE · ${hostOf(server)} — ${connected}`);
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

      it('and opened from the message, asking for what the template needs', async () => {
        const server = await venue();
        input.answers.push(server.url, labels.custom, ...lastSteps(server), 'tok.en');
        messages.answers.push(async () => {
          const auth = { scheme: 'custom', custom: { headers: { 'X-Token': '{token}' } } };
          await setProfiles({ [hostOf(server)]: { baseUrl: server.url, auth } });
          return 'Open Account';
        });
        await run(commands.addProfile);
        await untilRead(hostOf(server));
        assert.match(input.asked.at(-1)?.title ?? '', /^Credentials of .*: Token$/);
        assert.equal(accountReads(server)[0]?.headers['x-token'], 'tok.en');
        assert.equal(shownText(), `LIVE · ${hostOf(server)} — ${connected}`);
      });

      it('and not tested when its credentials are not entered', async () => {
        const server = await venue();
        messages.answers.push('Open Account');
        await add(server.url, labels.custom, ...lastSteps(server), escape);
        assert.equal(messages.shown.length, 1);
        assert.deepEqual(server.requests, []);
      });
    });

    it('again for the same host under another name', async () => {
      const server = await venue();
      await add(server.url, labels.hmacQuery, apiKey, apiSecret, ...lastSteps(server));
      await add(server.url, labels.hmacQuery, apiKey, apiSecret);
      assert.equal(input.asked.at(-1)?.value, `${hostOf(server)} 2`);
    });

    it('with a Back button that keeps what was typed', async () => {
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
    });

    it('with a Back button that keeps also what was not accepted yet', async () => {
      const server = await venue();
      const half = typedOnly('half');
      input.answers.push(server.url, labels.apiKeyHeader, half, back, labels.apiKeyHeader);
      await run(commands.addProfile);
      assert.equal(input.asked.at(-1)?.value, 'half');
    });

    it('with a Back button from every step, back to the first', async () => {
      await add('https://host.example', labels.none, 'Mine', 'TEST', back, back, back, back);
      const shown = input.asked.map(({ title, value }) => `${title.slice(13)} ${value}`);
      assert.deepEqual(shown.slice(4), [
        'Access ',
        'Environment TEST',
        'Name Mine',
        `Authentication ${labels.none}`,
        'Base URL https://host.example',
      ]);
      assert.equal(profiles(), undefined);
    });

    it('with a name that follows another base URL until you type your own', async () => {
      const path: Answer[] = ['https://one.example', labels.none, 'one.example', back, back, back];
      input.answers.push(...path, 'https://two.example', labels.none, 'Mine', back, back, back);
      await add('https://three.example', labels.none);
      const names = input.asked.filter(({ title }) => title.endsWith('Name'));
      assert.deepEqual(
        names.map(({ value }) => value),
        ['one.example', 'one.example', 'two.example', 'Mine', 'Mine'],
      );
    });

    it('without credentials typed for a scheme that was then changed', async () => {
      const server = await venue();
      input.answers.push(server.url, labels.basic, 'user', back, back, labels.apiKeyHeader);
      await add(apiKey, ...lastSteps(server));
      await untilRead(hostOf(server));
      const kept = { v: 1, origin: server.url, apiKey };
      assert.deepEqual(await credentialsOf(hostOf(server)), kept);
    });

    it('only if every answer is valid; a wrong one is reported in place, without its text', async () => {
      const server = await venue();
      const urls = ['', 'host', 'http://host.example', 'https://MARKED@host'];
      urls.push(`${server.url}?MARKED`);
      const keys = ['', ' MARKED', 'MARKED\r\nx: y', 'MARKED\u20ac', 'M'.repeat(5000)];
      input.answers.push(...urls, server.url, labels.hmacQuery, ...keys, apiKey, ...keys);
      await add(apiSecret, ...lastSteps(server));
      const counts = input.asked.map(({ problems }) => problems.length);
      assert.deepEqual(counts, [5, 0, 5, 5, 0, 0, 0]);
      for (const problem of input.asked.flatMap(({ problems }) => problems)) {
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
