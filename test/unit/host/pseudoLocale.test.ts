import assert from 'node:assert/strict';
import { phrase } from '../../../src/base/phrase.ts';
import { SentenceError } from '../../../src/base/sentenceError.ts';
import { credentialProblem } from '../../../src/exchange/auth/credentialCheck.ts';
import { ExchangeError, type ErrorKind, type Failure } from '../../../src/exchange/errors.ts';
import { operationNames } from '../../../src/exchange/auth/signedOperations.ts';
import { tableNames } from '../../../src/protocol/table.ts';
import { wordsOf } from '../../../src/pages/table/words.ts';
import { alertKinds, type Alert } from '../../../src/account/alerts/alerts.ts';
import { outcomes } from '../../../src/account/cancelAll/outcome.ts';
import type { CancelPlan } from '../../../src/account/cancelAll/plan.ts';
import type { BadRecord } from '../../../src/exchange/records.ts';
import { anOrder, someLocked } from '../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  type Script,
} from '../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../support/display.ts';
import { englishIn, pseudo } from '../../support/l10n/pseudo.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { l10n } = (await import('vscode')) as unknown as { l10n: { t: Translate } };
const { inWords, sentenceFor } = await import('../../../src/host/words.ts');
const { parseProfiles } = await import('../../../src/host/profiles/parseProfile.ts');
const { tableByName } = await import('../../../src/host/panels/tableByName.ts');
const { tableTexts } = await import('../../../src/host/panels/tableTexts.ts');
const { assetsView, lockedOrdersView, positionsView } =
  await import('../../../src/host/trees/accountViews.ts');

const { alertWords } = await import('../../../src/host/alerts/alertWords.ts');
const { planDetail } = await import('../../../src/host/commands/planWords.ts');
const { reportWords } = await import('../../../src/host/commands/cancelReport.ts');
const { outcomeName, outcomeWords } = await import('../../../src/host/commands/outcomeWords.ts');
const { receiptText } = await import('../../../src/host/commands/receiptText.ts');
const { lockedRow } = await import('../../../src/host/trees/lockedRow.ts');

type Translate = (text: string, ...values: readonly (string | number)[]) => string;

/** Data, which no language changes: names of the interface, of settings and of products; enum values. */
const data =
  /^(?:[A-Z][A-Z_\d]+|HTTP|Margin|Desk|Practice|Main|[a-z]+[A-Z]\w*|baseUrl|environment|auth|custom|dialect|usdt|btc_usdt|live|test|orders|trades|lots|transactions|accounts|upl|sumSizeBid|symbol|amount|leverage|name|deposited|locked|margin|ENOTFOUND|true|false|ms|dialekt|stringToSign|nosuch|rows|statuses|Mine|lockedAsk|price|[\da-f-]{30,})$/;

describe('in a language that nobody speaks, every word of the host is its own', () => {
  const english = l10n.t;
  before(() => {
    l10n.t = (text, ...values) => english(pseudo(text), ...values);
  });
  after(() => {
    l10n.t = english;
  });

  function assertPseudo(text: string): void {
    assert.deepEqual(englishIn(text, data), [], text);
  }

  it('but for values: the test finds a word that is not', () => {
    assert.deepEqual(englishIn(`${pseudo('Open {0}')} now`, data), ['now']);
    assertPseudo(l10n.t('HTTP {0}', 'ENOTFOUND'));
  });

  const kinds: Readonly<Record<ErrorKind, Partial<Failure>[]>> = {
    configuration: [
      { sent: 'no', detail: phrase('the profile is read-only') },
      { sent: 'no', detail: phrase('The API key is empty: enter it.') },
      { sent: 'no' },
    ],
    auth: [{ status: 401 }, { status: 401, serverCode: '-1' }],
    refused: [
      { status: 400, serverWords: '…' },
      { serverCode: '1', serverWords: '…' },
    ],
    rateLimited: [{ sent: 'no', retryAfterMs: 5 }, { status: 429 }, { retryAfterMs: 5 }],
    network: [{ detail: 'ENOTFOUND' }, { connection: 'certificate', detail: phrase('lost') }],
    timeout: [{}, { status: 408 }],
    server: [{ status: 500 }],
    malformed: [
      { detail: phrase('{0} should be {1}', '$.a', phrase('a number')) },
      { status: 200, serverWords: '…' },
    ],
    tooLarge: [{ detail: phrase('{0} MB', 8) }],
    redirected: [{ detail: phrase('another path') }],
  };
  for (const [kind, variants] of Object.entries(kinds))
    it(`a failure ${kind} of each operation`, () => {
      for (const operation of operationNames)
        for (const facts of variants) {
          const failure = { kind: kind as ErrorKind, sent: 'yes', operation, ...facts } as const;
          assertPseudo(sentenceFor(new ExchangeError(failure), aDisplay()));
        }
    });

  it('an error without words, and a sentence of another room', () => {
    assertPseudo(sentenceFor(new Error('no words'), aDisplay()));
    assertPseudo(
      sentenceFor(new SentenceError(phrase('the {0} is empty', phrase('token'))), aDisplay()),
    );
    for (const text of ['', ' x', 'x\n', 'a b'])
      assertPseudo(inWords(credentialProblem('token', text) ?? assert.fail(text)));
  });

  it('what is wrong with a profile', () => {
    const baseUrl = 'https://host';
    const auth = (fields: object) => ({ baseUrl, auth: fields });
    const wrong: unknown[] = [
      ...[1, {}, [], { baseUrl: 'x' }, { baseUrl: 'http://a' }, { baseUrl: 'https://a@b' }],
      ...[{ baseUrl: 'https://a?b' }, { baseUrl, environment: 7 }, { baseUrl, readOnly: 7 }],
      ...[
        { baseUrl, dialekt: 1 },
        { baseUrl, apiKey: 1 },
        { baseUrl, dialect: { firstPage: 7 } },
      ],
      { baseUrl, dialect: { maxPageSize: -1 } },
      { baseUrl, dialect: { maxRangeDays: -1 } },
      { baseUrl, dialect: { overLimitStatuses: 7 } },
      ...[auth({ scheme: 7 }), auth({ keyHeader: 7 }), auth({ keyHeader: 'Host' })],
      ...[auth({ timestampParam: 'page' }), auth({ timestampParam: 7 }), auth({ sign: 7 })],
      ...[auth({ sign: ['orders', 'orders'] }), auth({ recvWindowMs: -1 })],
      ...[auth({ stringToSign: '{nosuch}' }), auth({ stringToSign: '{' })],
      ...[auth({ stringToSign: 7 }), auth({ custom: { aheadMs: -1 } })],
      auth({ timestampParam: 'x', signatureParam: 'x' }),
      ...[{ a: '\n' }, { Host: 'x' }, { a: 'x', A: 'x' }, {}, 7].map((headers) =>
        auth({ custom: { headers } }),
      ),
      ...[{ page: 'x' }, 7].map((query) => auth({ custom: { query } })),
    ];
    for (const profile of wrong) {
      const [entry] = parseProfiles({ Main: profile });
      assertPseudo(entry?.kind === 'bad' ? inCode(entry.problem) : assert.fail(String(profile)));
    }
    for (const name of ['', ' x', 'Practice']) {
      const [entry] = parseProfiles({ [name]: {} });
      assertPseudo(entry?.kind === 'bad' ? entry.problem : assert.fail(name));
    }
    const [entry] = parseProfiles([]);
    assertPseudo(entry?.kind === 'bad' ? entry.problem : assert.fail());
  });

  for (const table of tableNames)
    it(`the table ${table} and its page`, () => {
      const definition = tableByName(table);
      const { title, note, columns } = definition;
      const filters = definition.filters({ symbols: [], assets: [] });
      const labels = [...columns, ...filters].map(({ label }) => label);
      for (const text of [title, note, ...labels, ...Object.values(tableTexts(table))])
        assertPseudo(text);
      const words = wordsOf(tableTexts(table), 'en');
      assertPseudo(words.rowsLoaded(2, 1, '—'));
      assertPseudo(words.fromAfterTo(pseudo('From'), pseudo('To')));
    });

  const locked = [someLocked({ lockedAsk: '5' })];
  const bad: BadRecord = { path: '$[0]', problem: phrase('{0} is missing', '$[0].price') };
  const orders = (...statuses: string[]) => statuses.map((status) => anOrder({ status }));
  const cancelAlls = (): Readonly<Record<string, Script>> => ({
    'of nothing': {},
    done: { canceled: [aCanceledOrder()] },
    'done, of two': { canceled: [aCanceledOrder(), aCanceledOrder({ price: null })] },
    'answered in part as told': {
      canceled: [aCanceledOrder({ status: 'EXECUTED' })],
      badRecords: [bad],
    },
    partly: { canceled: [aCanceledOrder()], locked: [locked, locked] },
    'whose plan names what could not be read': { unread: [{ ...bad, path: '$.orders[0]' }] },
    'that is not read back': { locked: [[], failed({})] },
    'not sent': { canceled: failed({ sent: 'no', connection: 'unreachable' }) },
    refused: { canceled: failed({ kind: 'refused', sent: 'yes', status: 403, serverWords: '…' }) },
    'unknown; nothing locked': { canceled: failed({}), history: orders('CANCELED') },
    'unknown, with a history that lists none': { canceled: failed({}), history: [] },
    'unknown, with a history that lists many': {
      canceled: failed({ kind: 'timeout' }),
      history: orders(...Array<string>(100).fill('CANCELED')),
    },
    'unknown, with a history that cannot be read': {
      canceled: failed({ status: 500, kind: 'server' }),
      locked: [[], locked, failed({})],
      history: failed({}),
    },
    'unknown and not read back': { canceled: failed({}), locked: [[], failed({})] },
  });
  for (const [name, script] of Object.entries(cancelAlls()))
    it(`a cancel-all ${name}: question, report, list and receipt`, async () => {
      const { cancelAll, clock, receipts, seen } = cancelAllUnderTest(script);
      await cancelAll.press();
      await clock.advance(15_000);
      cancelAll.dispose();
      const display = aDisplay();
      const recent = receipts.kept;
      const { plan } = seen.questions[0] ?? assert.fail('no question');
      for (const earlier of [undefined, plan, otherAccounts(plan)])
        for (const isFresh of [true, false])
          assertPseudo(withoutDay(planDetail({ ...plan, isFresh, recent }, earlier, display)));
      assert.ok(recent.length >= 2);
      for (const receipt of recent) {
        assertPseudo(outcomeName(receipt.outcome));
        assertPseudo(outcomeWords(receipt, display));
        for (const is of [true, false])
          assertPseudo(reportWords({ receipt, isKept: is, awaitsHistory: is }, display));
        assertPseudo(withoutFields(withoutDay(receiptText(receipt, display))));
      }
    });

  it('a cancel-all of each outcome, all of which were seen', async () => {
    const outcomesSeen = new Set<string>();
    for (const script of Object.values(cancelAlls())) {
      const { cancelAll, receipts } = cancelAllUnderTest(script);
      await cancelAll.press();
      cancelAll.dispose();
      for (const { outcome } of receipts.kept) outcomesSeen.add(outcome);
    }
    assert.deepEqual([...outcomesSeen].sort(), ['sending', ...outcomes].sort());
  });

  it('an alert of each kind', () => {
    const asOf = Date.UTC(2026, 10, 20, 12);
    const danger = { symbol: 'btc_usdt', distancePercent: '4', asOf } as const;
    const near = { ...danger, band: 'near', isPast: false } as const;
    const critical = { ...danger, band: 'critical', isPast: false } as const;
    const past = { ...critical, isPast: true };
    const first = { seenAt: asOf, equity: '10' };
    const symbols = ['btc_usdt'];
    const alerts: Alert[] = [
      ...[[near], [critical], [past], [past, critical, near, near]].map((positions): Alert => ({
        kind: 'positions',
        positions,
      })),
      ...(['order', 'fee', 'unread'] as const).map((by): Alert => ({
        kind: 'liquidations',
        by,
        symbols,
      })),
      { kind: 'equity', first, equity: '5', asOf, fallPercent: '50' },
      { kind: 'connection', since: asOf, failure: failed({}) },
    ];
    assert.deepEqual(new Set(alerts.map(({ kind }) => kind)), new Set(alertKinds));
    const profile = { name: 'Main', environment: 'live' } as const;
    for (const alert of alerts) assertPseudo(alertWords(alert, profile, aDisplay()));
  });

  it('views without rows, and the rows of locked orders', () => {
    for (const { empty } of [positionsView(), assetsView(), lockedOrdersView()])
      assertPseudo(empty);
    const { label, description, title, spoken } = lockedRow(someLocked(), aDisplay());
    for (const text of [label, description, title, ...spoken]) assertPseudo(text);
  });
});

/** The plan that another account had. */
function otherAccounts(plan: CancelPlan): CancelPlan {
  return { ...plan, account: { ...plan.account, fingerprint: 'another' } };
}

/** The day of a time is in the language of its display. */
function withoutDay(text: string): string {
  return text.replace(/[A-Z][a-z]+day, [A-Z][a-z]+ \d+, \d{4}/g, '');
}

/** The fields of the exchange’s own records stand in a receipt as they are. */
function withoutFields(text: string): string {
  return text.replace(/^\w+ {2,}/gm, '');
}

/** A field’s name, and what a person shall write, in quotes or braces, is in every language the same. */
function inCode(text: string): string {
  return text.replace(/, [\w.-]+: /, '').replace(/"[^"]*"|\{[^}]*\}|“[A-Z][^”]*”/g, '');
}
