import assert from 'node:assert/strict';
import type { Alert } from '../../../../src/account/alerts/alerts.ts';
import { alertKinds } from '../../../../src/host/settings/settings.ts';
import { receiptOutcomes } from '../../../../src/account/cancelAll/cancelOutcome.ts';
import type { CancelPlan, UnreadReason } from '../../../../src/account/cancelAll/cancelPlan.ts';
import { UserFacingError } from '../../../../src/base/errors.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { credentialProblem } from '../../../../src/exchange/auth/credentials.ts';
import {
  ExchangeError,
  type ErrorKind,
  type Failure,
} from '../../../../src/exchange/exchangeError.ts';
import { operationNames } from '../../../../src/api/operations.ts';
import type { BadRecord } from '../../../../src/exchange/records.ts';
import { formatTexts } from '../../../../src/pages/table/state/pageTexts.ts';
import { filtersOf } from '../../../../src/host/tables/histories.ts';
import { tableNames } from '../../../../src/protocol/table.ts';
import { anAccount, aPosition, someLocked, wire } from '../../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  noReceiptActions,
  type Script,
} from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';
import { englishIn, pseudo } from '../../../support/l10n/pseudo.ts';
import {
  asDrawn,
  nothingRead,
  overviewOf,
  overviewOfAccount,
  readOnDemand,
} from '../../../support/overviewUnderTest.ts';
import { receiptTexts } from '../../../support/receiptTexts.ts';
import { errorText } from '../../../../src/host/text/failureText.ts';
import { localized } from '../../../../src/host/text/messageText.ts';
import { parseProfiles } from '../../../../src/host/profiles/parseProfile.ts';
import { createTableDefinition, tableTexts } from '../../../../src/host/tables/tables.ts';
import { alertText } from '../../../../src/host/alerts/alertText.ts';
import { planText } from '../../../../src/host/cancelAll/planText.ts';
import { cancelReportText } from '../../../../src/host/cancelAll/cancelAllCommand.ts';
import { outcomeLook, outcomeText } from '../../../../src/host/cancelAll/outcomeText.ts';
import { receiptDocument } from '../../../../src/host/cancelAll/receiptDocument.ts';
import type { LiveDocument } from '../../../../src/host/webview/documentPanel.ts';
import {
  assetsView,
  lockedOrdersView,
  positionsView,
} from '../../../../src/host/trees/accountViews.ts';
import { lockedOrdersRow } from '../../../../src/host/trees/accountRows.ts';
import { spokenParts } from '../../../../src/host/trees/treeRow.ts';
const { l10n } = (await import('vscode')) as unknown as { l10n: { t: Translate } };

type Translate = (text: string, ...values: readonly (string | number)[]) => string;

/** Data, which no language changes: names of the API, of settings and of products; enum values. */
const data =
  /^(?:[A-Z][A-Z_\d]+|HTTP|Margin|Desk|Practice|Main|[a-z]+[A-Z]\w*|baseUrl|environment|auth|custom|dialect|usdt|btc_usdt|live|test|orders|trades|lots|transactions|accounts|upl|sumSizeBid|symbol|amount|leverage|name|deposited|locked|margin|ENOTFOUND|true|false|ms|dialekt|stringToSign|nosuch|rows|statuses|Mine|lockedAsk|price|[\da-f-]{30,})$/;

describe('in a pseudo-language, every text of the host is translated', () => {
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

  it('except values: the test finds an untranslated word', () => {
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
    it(`a failure of kind ${kind} of each operation`, () => {
      for (const operation of operationNames)
        for (const facts of variants) {
          const failure = { kind: kind as ErrorKind, sent: 'yes', operation, ...facts } as const;
          assertPseudo(errorText(new ExchangeError(failure), aDisplay()));
        }
    });

  it('an unknown error, and a phrase of another room', () => {
    assertPseudo(errorText(new Error('no words'), aDisplay()));
    const error = new UserFacingError(phrase('the {0} is empty', phrase('token')));
    assertPseudo(errorText(error, aDisplay()));
    for (const text of ['', ' x', 'x\n', 'a b'])
      assertPseudo(localized(credentialProblem('token', text) ?? assert.fail(text)));
  });

  it('what is wrong with a profile', () => {
    const baseUrl = 'https://host';
    const auth = (fields: object) => ({ baseUrl, auth: fields });
    const wrong: unknown[] = [
      ...[1, {}, [], { baseUrl: 'x' }, { baseUrl: 'http://a' }, { baseUrl: 'https://a@b' }],
      ...[{ baseUrl: 'https://a?b' }, { baseUrl, environment: 7 }, { baseUrl, readOnly: 7 }],
      ...[{ dialekt: 1 }, { apiKey: 1 }].map((fields) => ({ baseUrl, ...fields })),
      ...[
        { firstPage: 7 },
        { maxPageSize: -1 },
        { maxRangeDays: -1 },
        { overLimitStatuses: 7 },
      ].map((dialect) => ({ baseUrl, dialect })),
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
      const definition = createTableDefinition(table);
      const { title, columns } = definition;
      const isHistory = definition.kind === 'history';
      const filters = isHistory ? filtersOf(definition, { symbols: [], assets: [] }) : [];
      const note = isHistory && definition.note ? [definition.note] : [];
      const labels = [...columns, ...filters].map(({ label }) => label);
      for (const text of [title, ...note, ...labels, ...Object.values(tableTexts(table))])
        assertPseudo(text);
      const texts = formatTexts(tableTexts(table), 'en');
      assertPseudo(texts.rowsLoaded(2, 1, '—'));
      assertPseudo(texts.shownPart('1', '2'));
      assertPseudo(texts.fromAfterTo(pseudo('From'), pseudo('To')));
    });

  const locked = [someLocked({ lockedAsk: '5' })];
  const bad: BadRecord = { path: '$[0]', problem: phrase('{0} is missing', '$[0].price') };
  const cancelAlls = (): Readonly<Record<string, Script>> => ({
    'of nothing': {},
    done: { canceled: [aCanceledOrder()] },
    'done, of two': { canceled: [aCanceledOrder(), aCanceledOrder({ price: null })] },
    'with a bad record': { canceled: [aCanceledOrder({ status: 'EXECUTED' })], badRecords: [bad] },
    partly: { canceled: [aCanceledOrder()], locked: [locked, locked] },
    'whose plan names what could not be read': { unread: [{ ...bad, path: '$.orders[0]' }] },
    'that is not read back': { locked: [[], failed({})] },
    'not sent': { canceled: failed({ sent: 'no', connection: 'unreachable' }) },
    refused: { canceled: failed({ kind: 'refused', sent: 'yes', status: 403, serverWords: '…' }) },
    'unknown; nothing locked': { canceled: failed({}) },
    'unknown, and later not read back': {
      canceled: failed({ status: 500, kind: 'server' }),
      locked: [[], locked, failed({})],
    },
    'confirmed without figures': { locked: [failed({ kind: 'timeout', operation: 'accounts' })] },
    'unknown and not read back': { canceled: failed({}), locked: [[], failed({})] },
  });
  const unreadReasons = (): UnreadReason[] => [
    ...(['paused', 'limitUsed'] as const),
    ...Object.entries(kinds).flatMap(([kind, variants]) =>
      variants.map((facts) => failed({ kind: kind as ErrorKind, ...facts }).failure),
    ),
  ];
  const outcomesSeen = new Set<string>();
  for (const [name, script] of Object.entries(cancelAlls()))
    it(`a cancel-all ${name}: question, report, list and receipt`, async () => {
      const { cancelAll, clock, receipts, seen } = cancelAllUnderTest(script);
      await cancelAll.run();
      await clock.advance(15_000);
      cancelAll.dispose();
      const display = aDisplay();
      const recent = receipts.kept;
      const { plan } = seen.questions[0] ?? assert.fail('no question');
      for (const earlier of [undefined, plan, otherAccounts(plan)])
        for (const unread of [
          { unreadReason: undefined, sendableAt: plan.plannedAt + 5000 },
          ...unreadReasons().map((unreadReason) => ({ unreadReason })),
          { unreadReason: 'paused', figures: undefined } as const,
        ])
          assertPseudo(
            withoutDay(planText({ ...plan, ...unread, recentCancels: recent }, earlier, display)),
          );
      assert.ok(recent.length >= 2);
      for (const receipt of recent) {
        outcomesSeen.add(receipt.outcome);
        assertPseudo(outcomeLook(receipt).label());
        assertPseudo(outcomeText(receipt, display));
        for (const isSaved of [true, false])
          for (const isActive of [true, false]) {
            const report = { receipt, isSaved, isActive };
            assertPseudo(cancelReportText(report, display));
            for (const text of receiptTexts(
              withoutFields(receiptDocument(report, display, noReceiptActions)),
            ))
              assertPseudo(withoutDay(text));
          }
      }
    });

  it('a cancel-all of each outcome', () => {
    assert.deepEqual([...outcomesSeen].sort(), Object.keys(receiptOutcomes).sort());
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
      ...(['order', 'unread'] as const).map((by): Alert => ({ kind: 'liquidations', by, symbols })),
      { kind: 'equity', first, equity: '5', asOf, fallPercent: '50' },
      { kind: 'connection', since: asOf, failure: failed({}) },
    ];
    assert.deepEqual(new Set(alerts.map(({ kind }) => kind)), new Set(alertKinds));
    const profile = { name: 'Main', environment: 'live' } as const;
    for (const alert of alerts) assertPseudo(alertText(alert, profile, aDisplay()));
  });

  it('the account overview in its states', () => {
    const orders = { items: [], place: 'unproven' as const, notes: [], badRecords: [] };
    const tier = { tier: '1', maker: '1', taker: '2', volume30D: '3', extra: {} };
    const tiers = { value: [tier, { ...tier, tier: '2' }], badRecords: [] };
    const reads = { ...nothingRead, orders: readOnDemand(orders), feeTiers: readOnDemand(tiers) };
    const account = wire(anAccount({ positions: [aPosition({ marginMode: 'ISOLATED' })] }));
    const failure = failed({ operation: 'accounts' });
    const overviews = [
      overviewOf({}),
      overviewOf({ state: { kind: 'opening', name: 'Main' } }),
      overviewOf({ state: { kind: 'failed', name: 'Main', error: failure } }),
      overviewOfAccount(undefined),
      overviewOfAccount(account),
      overviewOfAccount(account, { reads, failure, staleAgeMs: 70_000 }),
      overviewOfAccount(account, { profile: { readOnly: true } }),
      overviewOfAccount(wire(anAccount({ positions: [], orders: [], assets: [] }))),
    ];
    for (const overview of overviews)
      for (const text of receiptTexts({ ...asDrawn(overview), account: overview.account?.remark }))
        assertPseudo(withoutDay(text));
  });

  it('views without rows, and the rows of open orders', () => {
    for (const { emptyMessage } of [positionsView(), assetsView(), lockedOrdersView()])
      assertPseudo(emptyMessage);
    const row = lockedOrdersRow(someLocked(), aDisplay());
    const { description, hoverHeading, hoverRows } = row;
    for (const text of [description, ...spokenParts(row), hoverHeading, ...hoverRows.flat()])
      assertPseudo(text);
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

/** Whose receipt it is, and the fields of the exchange’s own records, stand in a receipt as they are. */
function withoutFields({ title, notes, buttons, sections }: LiveDocument) {
  const [outcome, timeline, locked, ...returned] = sections;
  const ours = returned.map((section) =>
    section.blocks.map((block) => ({ ...section, ...block, columns: [], rows: [], blocks: [] })),
  );
  return { title, notes, buttons, sections: [outcome, timeline, locked, ours] };
}

/** A field’s name, and what a person shall write, in quotes or braces, is in every language the same. */
function inCode(text: string): string {
  return text.replace(/, [\w.-]+: /, '').replace(/"[^"]*"|\{[^}]*\}|“[A-Z][^”]*”/g, '');
}
