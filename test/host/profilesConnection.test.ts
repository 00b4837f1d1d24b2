import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Document } from '../../src/protocol/document.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, wire } from '../support/builders.ts';
import { blockOf } from '../support/shownDocument.ts';
import { eventually } from '../support/eventually.ts';
import { markedCredentials } from '../support/exchangeClient.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { receiptTexts } from '../support/receiptTexts.ts';
import { shownReports } from '../support/shownReports.ts';

const { apiKey, apiSecret } = markedCredentials;

describe('profiles', () => {
  const { access, serve, messages, input, venue, run, opened, setProfiles, profiles, shownText } =
    profilesUnderTest();
  const reports = shownReports();
  const checks = async () => {
    const { items } = blockOf(await reports.latest(), 'checklist');
    return items.map(({ state, texts }) => [state, ...texts].join('\n'));
  };
  const rowOf = (report: Document, key: string) => {
    const { rows } = blockOf(report, 'table');
    const [, value, proof, evidence, override] =
      rows.find(([label]) => label?.notes?.includes(key)) ?? assert.fail(key);
    return {
      value: value?.text,
      proof: { word: proof?.text, texts: proof?.notes ?? [] },
      evidence: { conclusion: evidence?.text ?? '', requests: evidence?.more?.items ?? [] },
      override: override?.button?.label ?? null,
    };
  };

  describe('are tested', () => {
    it('and everything works', async () => {
      await opened('Main', await venue());
      messages.answers.push('Show Report');
      await run(commands.testConnection);
      assert.deepEqual(
        messages.shown.map(({ severity, modal, text, buttons }) => [
          severity,
          modal,
          text,
          buttons,
        ]),
        [['information', false, 'LIVE · Main — Connected. 1 position.', ['Show Report']]],
      );
      const [reachable = '', authentication = ''] = await checks();
      assert.match(
        reachable,
        /^done\nExchange information: 0 symbols, \d+ ms\.\nTested on \d{4}-.*\.$/,
      );
      assert.match(
        authentication,
        /^done\nHMAC-SHA256, .*\nKey header: X-API-KEY\nAccount: 1 positions, \d+ ms\.\nClock in sync \(difference 0\.\d s\)\.$/,
      );
    });

    it('and a part of the account cannot be read', async () => {
      await opened('Main', await venue({ upl: null, orders: null }));
      messages.answers.push('Show Report');
      await run(commands.testConnection);
      assert.equal(messages.shown[0]?.severity, 'warning');
      assert.match(shownText(0), / — Connected, but a part of the account could not be read\.$/);
      assert.match(
        (await checks())[1] ?? '',
        /^problem\n.*A part of the account could not be read: \$\.upl should be a number and is null\.\nA part .*: \$\.orders should be a list and is null\./s,
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
      messages.shown.length = 0;
      messages.answers.push('Show Report');
      await run(commands.testConnection, 'Main');
      assert.equal(messages.shown.length, 1);
      assert.match(shownText(), / — Connected, but sign-in failed\. .*HTTP 401: “no such key”/);
      assert.deepEqual(messages.shown[0]?.buttons, ['Set Credentials…', 'Show Report']);
      const [, authentication = ''] = await checks();
      assert.match(authentication, /^problem\n.*HTTP 401: “no such key”/s);
      assert.match(
        authentication,
        /clock of the exchange is (?:5[5-9]|6[0-5])\.\d s behind\. Requests are signed with its time/,
      );
    });

    it('and an account whose last read was refused is read again', async () => {
      let isKnown = true;
      const server = await serve((request, response) => {
        if (request.url?.startsWith('/api/v1/accounts'))
          response.writeHead(isKnown ? 200 : 401).end(isKnown ? wire(anAccount()) : '');
        else response.writeHead(404).end();
      });
      await opened('Main', server);
      isKnown = false;
      await run(commands.refresh);
      const { store } = await access().app.active.session();
      assert.ok(store.state.failure);
      isKnown = true;
      await run(commands.testConnection);
      await eventually('the next read', () => store.state.failure === undefined);
    });

    it('without credentials, as far as possible', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      await run(commands.testConnection, 'Main');
      assert.match(shownText(), /Connected, but sign-in failed\. “Main” has no credentials yet/);
      assert.deepEqual(messages.shown[0]?.buttons, ['Set Credentials…', 'Show Report']);
      assert.deepEqual(
        server.requests.map(({ path }) => path.split('?')[0]),
        ['/api/v1/system/exchangeInfo', '/api/v1/liquidationAuction/history'],
      );
    });

    it('and the exchange cannot be reached', async () => {
      const server = await venue();
      await opened('Main', server);
      await server.close();
      messages.answers.push('Show Report');
      await run(commands.testConnection);
      assert.match(shownText(0), / — Not connected\. .*ECONNREFUSED/);
      assert.deepEqual(messages.shown[0]?.buttons, ['Show Report']);
      const [reachable = '', authentication = ''] = await checks();
      for (const check of [reachable, authentication])
        assert.match(check, /^problem\n.*ECONNREFUSED/s);
    });
  });

  describe('have a connection report', () => {
    const exchanges = exchangesOfEachTest();
    const reading = {
      firstPage: 'oneClampsZero',
      dates: ['isoLocal'],
      timezone: 'Europe/Berlin',
    } as const;

    it('from Test Connection, with requests, answers and conclusions', async () => {
      const exchange = await exchanges({ reading, rows: { lots: 60 } });
      await setProfiles({ Main: { baseUrl: exchange.url, dialect: { lists: 'comma' } } });
      await run(commands.setCredentials, 'Main', apiKey, apiSecret);
      messages.answers.push('Show Report');
      await run(commands.testConnection, 'Main');
      assert.match(shownText(1), / — Connected\. \d+ positions?\.$/);
      assert.doesNotMatch(shownText(1), /“(Date format|Several values)”/);
      const report = await reports.latest();
      const { title, account } = report;
      const { profile, environment, origin } = account ?? assert.fail('no account');
      assert.deepEqual(
        [title, profile, environment, origin],
        ['Connection report', 'Main', 'LIVE', exchange.url],
      );
      const firstPage = rowOf(report, 'firstPage');
      assert.deepEqual([firstPage.value, firstPage.proof.word], ['1', 'Proven']);
      assert.match(firstPage.proof.texts[0] ?? '', /^\d{4}-.* UTC/);
      assert.match(firstPage.evidence.conclusion, /^Page 0 returned/);
      const dates = rowOf(report, 'dates');
      assert.deepEqual([dates.value, dates.proof.word], ['isoLocal', 'Proven']);
      const requests = dates.evidence.requests.map((texts) => texts.join(': '));
      assert.match(
        requests.join('\n'),
        /liquidationAuction\/history dateFrom=\S+ dateTo=\S+ page=1 size=500: an error \(HTTP 400\)/,
      );
      const [lists, days] = [rowOf(report, 'lists'), rowOf(report, 'maxRangeDays')];
      assert.deepEqual(
        [lists.value, lists.proof.word, lists.override],
        ['comma', 'Set by hand', 'Change…'],
      );
      assert.deepEqual(
        [days.value, days.proof.word, days.proof.texts],
        ['no limit', 'Default', ['Not tested yet']],
      );
      const texts = receiptTexts(report);
      assert.ok(texts.includes('Europe/Berlin'));
      assert.ok(
        texts.includes('1,000 weight per 1 MINUTE, which Margin Desk never exceeds (HARD_LIMIT)'),
      );
      assert.doesNotMatch(texts.join('\n'), /MARKED|signature=|timestamp=/);
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
      // Shortly after a write, VS Code may still return the old value.
      const report = await eventually('what was learned', async () => {
        await run(commands.showConnectionReport, 'Main');
        const shown = await reports.latest();
        return rowOf(shown, 'dates').value === 'isoLocal' ? shown : undefined;
      });
      const texts = receiptTexts(report).join('\n');
      assert.match(
        texts,
        /\n7 per 2 FORTNIGHT, of a kind that Margin Desk does not know \(ORDERS\)\n/,
      );
      assert.match(texts, /\nLast run on .* UTC\S*, used \d0 API weight\./);
      assert.equal(exchange.requests.length, sent);
    });

    it('in one panel, which shows the next test when it has ended', async () => {
      const exchange = await exchanges({ reading, rows: { lots: 60 } });
      await setProfiles({ Main: { baseUrl: exchange.url } });
      await run(commands.showConnectionReport, 'Main');
      await run(commands.showConnectionReport, 'Main');
      const panel = await reports.latestPanel();
      assert.deepEqual([reports.panels.length, panel.revealed], [1, 1]);
      const before = await reports.latest();
      assert.deepEqual(
        [blockOf(before, 'checklist').items[0]?.state, rowOf(before, 'dates').proof.word],
        ['pending', 'Default'],
      );
      panel.posted.length = 0;
      await reports.press(panel, 'test');
      const after = await eventually('the tested connection', () =>
        reports
          .changed(panel)
          .find((report) => blockOf(report, 'checklist').items[0]?.state === 'done'),
      );
      assert.equal(rowOf(after, 'dates').proof.word, 'Proven');
    });

    it('that follows its profile when that is renamed', async () => {
      await opened('Main', await venue());
      await run(commands.testConnection);
      await run(commands.showConnectionReport);
      const panel = await reports.latestPanel();
      assert.equal(panel.title, 'Connection · Main');
      assert.match(String(panel.iconPath), /\/media\/panel\/(live|test)\.svg$/);
      await run(commands.editProfile, 'Main', 'Name', 'Second');
      assert.equal(panel.title, 'Connection · Second');
      const report = await reports.latest();
      assert.deepEqual(
        [report.account?.profile, report.key, report.notes],
        ['Second', 'Second', []],
      );
      assert.equal(blockOf(report, 'checklist').items[1]?.state, 'done');
      await run(commands.showConnectionReport);
      assert.equal(reports.panels.length, 1);
      input.answers.push('exclusive');
      await reports.press(panel, 'override dateTo');
      const written = profiles() as Record<string, { dialect?: object }>;
      assert.deepEqual(Object.keys(written), ['Second']);
      assert.deepEqual(written.Second?.dialect, { dateTo: 'exclusive' });
    });

    it('that says when its profile is gone, and offers no override then', async () => {
      await setProfiles({ Main: { baseUrl: 'https://host.example' } });
      await run(commands.showConnectionReport, 'Main');
      const panel = await reports.latestPanel();
      await setProfiles(undefined);
      const report = await eventually('the note', () =>
        reports.changed(panel).find(({ notes }) => notes.length > 0),
      );
      assert.equal(rowOf(report, 'dates').override, null);
      await reports.press(panel, 'override dates');
      assert.equal(profiles(), undefined);
    });

    it('copied as Markdown', async () => {
      await opened('Main', await venue());
      await run(commands.showConnectionReport);
      await reports.latest();
      await reports.press(await reports.latestPanel(), 'copy');
      assert.match(await vscode.env.clipboard.readText(), /^# Connection report\n\nLIVE · Main · /);
    });

    it('of the profile that was shown before a reload, and none of a profile that is gone', async () => {
      await setProfiles({ Main: { baseUrl: 'https://host.example' } });
      const state = (key: string) => ({ v: 1, kind: 'report', key, scroll: 0 });
      const restore = async (saved: unknown, title = '') => {
        const panel = new FakePanel();
        panel.title = title;
        reports.panels.push(panel);
        await access().app.documents.deserializeWebviewPanel(panel.asPanel(), saved);
        return panel;
      };
      assert.equal((await restore(state('Gone'))).disposed, true);
      assert.equal((await restore('wrong')).disposed, true);
      const panel = await restore(state('Main'));
      assert.deepEqual([panel.disposed, panel.title], [false, 'Connection · Main']);
      panel.dispose();
      // Hidden while the profile was renamed: only the title of the tab has the new name.
      const renamed = await restore(state('Earlier'), 'Connection · Main');
      assert.deepEqual([renamed.disposed, renamed.title], [false, 'Connection · Main']);
    });
  });

  describe('have an override of a convention', () => {
    const baseUrl = 'https://host.example';
    const override = async (key: string, ...answers: string[]) => {
      await run(commands.showConnectionReport, 'Main');
      input.answers.push(...answers);
      await reports.latest();
      return reports.press(await reports.latestPanel(), `override ${key}`);
    };
    const dialect = () => (profiles() as Record<string, { dialect?: object }>).Main?.dialect;

    const values: [key: string, label: string, written: unknown][] = [
      ['firstPage', '1', 1],
      ['dates', 'isoDate', 'isoDate'],
      ['maxPageSize', 'no limit', null],
      ['maxPageSize', '100', 100],
      ['overLimitStatuses', '429', [429]],
    ];
    for (const [key, label, written] of values)
      it(`with ${key} ${label}, keeping everything else`, async () => {
        const profile = { baseUrl, auth: { keyHeader: 'X-Mine' }, dialect: { lists: 'comma' } };
        await setProfiles({ Main: profile });
        await override(key, label);
        const expected = { ...profile, dialect: { lists: 'comma', [key]: written } };
        assert.deepEqual(profiles(), { Main: expected });
        const row = rowOf(await reports.latest(), key);
        assert.deepEqual([row.value, row.proof.word], [label, 'Set by hand']);
      });

    it('that is taken back', async () => {
      await setProfiles({ Main: { baseUrl, dialect: { lists: 'comma', dates: 'isoDate' } } });
      await override('dates', 'Detect');
      assert.deepEqual(dialect(), { lists: 'comma' });
    });

    it('with a value from a list, or one that is written in settings.json', async () => {
      await setProfiles({ Main: { baseUrl } });
      await override('lists');
      assert.deepEqual(
        input.asked.at(-1)?.items.map(({ label }) => label),
        ['Detect', 'repeat', 'comma', 'brackets', 'Edit in settings.json…'],
      );
    });

    it('not if the page names no convention, or nothing is picked', async () => {
      await setProfiles({ Main: { baseUrl } });
      await override('__proto__');
      await override('dates');
      assert.equal(dialect(), undefined);
    });
  });
});
