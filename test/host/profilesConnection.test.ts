import assert from 'node:assert/strict';
import type { Document } from '../../src/protocol/document.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, wire } from '../support/builders.ts';
import { blockOf, changesIn, pressIn } from '../support/shownDocument.ts';
import { eventually } from '../support/eventually.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { receiptTexts } from '../support/receiptTexts.ts';
import { shownDocuments } from '../support/shownReceipts.ts';

describe('profiles', () => {
  const { access, serve, messages, input, venue, run, opened, setProfiles, profiles } =
    profilesUnderTest();
  const reports = shownDocuments();
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
        /^done\nHMAC-SHA256, .*\nKey header: X-API-KEY\nAccount: 1 positions, \d+ ms\.\nThe clock of the exchange was 0\.\d s (?:ahead|behind) on .*\.\nRequests are signed with its time\.$/,
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
  });

  describe('have a connection report', () => {
    const exchanges = exchangesOfEachTest();
    const reading = {
      firstPage: 'oneClampsZero',
      dates: ['isoLocal'],
      timezone: 'Europe/Berlin',
    } as const;

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
      await pressIn(panel, 'test');
      const after = await eventually('the tested connection', () =>
        changesIn(panel).find((report) => blockOf(report, 'checklist').items[0]?.state === 'done'),
      );
      assert.equal(rowOf(after, 'dates').proof.word, 'Proven');
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
      return pressIn(await reports.latestPanel(), `override ${key}`);
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

    it('not if the page names no convention, or nothing is picked', async () => {
      await setProfiles({ Main: { baseUrl } });
      await override('__proto__');
      await override('dates');
      assert.equal(dialect(), undefined);
    });
  });
});
