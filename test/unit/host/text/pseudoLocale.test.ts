import assert from 'node:assert/strict';
import { alertKinds } from '../../../../src/host/settings/settings.ts';
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
import { someAlerts } from '../../../support/someAlerts.ts';
import { wrongProfiles } from '../../../support/wrongProfiles.ts';
import { receiptTexts } from '../../../support/receiptTexts.ts';
import { errorText } from '../../../../src/host/text/failureText.ts';
import { localized } from '../../../../src/host/text/messageText.ts';
import { parseProfiles } from '../../../../src/host/profiles/parseProfile.ts';
import { createTableDefinition, tableTexts } from '../../../../src/host/tables/tables.ts';
import { alertText } from '../../../../src/host/alerts/alertNotifications.ts';
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
  /^(?:[A-Z][A-Z_\d]+|HTTP|Margin|Desk|Practice|Main|[a-z]+[A-Z]\w*|baseUrl|environment|auth|custom|dialect|usdt|[a-z]+_usdt|live|test|orders|trades|lots|transactions|accounts|upl|sumSizeBid|symbol|amount|leverage|name|deposited|locked|margin|ENOTFOUND|true|false|ms|dialekt|stringToSign|nosuch|rows|statuses|Mine|lockedAsk|price|[\da-f-]{30,})$/;

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
  it('a failure of each kind, of each operation', () => {
    for (const [kind, variants] of Object.entries(kinds))
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
    for (const profile of wrongProfiles) {
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

  it('each table and its page', () => {
    for (const table of tableNames) {
      const definition = createTableDefinition(table);
      const { title, columns, note = '' } = definition;
      const isHistory = definition.kind === 'history';
      const filters = isHistory ? filtersOf(definition, { symbols: [], assets: [] }) : [];
      const labels = [...columns, ...filters].map(({ label }) => label);
      for (const text of [title, note, ...labels, ...Object.values(tableTexts(table))])
        assertPseudo(text);
      const texts = formatTexts(tableTexts(table), 'en');
      assertPseudo(texts.rowsLoaded(2, 1, '—'));
      assertPseudo(texts.shownPart('1', '2'));
      assertPseudo(texts.fromAfterTo(pseudo('From'), pseudo('To')));
    }
  });

  const bad: BadRecord = { path: '$[0]', problem: phrase('{0} is missing', '$[0].price') };
  const scripts: readonly Script[] = [
    { canceled: [aCanceledOrder(), aCanceledOrder({ status: 'EXECUTED' })], badRecords: [bad] },
    { unread: [{ ...bad, path: '$.orders[0]' }], locked: [[someLocked({ lockedAsk: '5' })]] },
    { canceled: failed({ sent: 'no', connection: 'unreachable' }) },
    { canceled: failed({ kind: 'refused', sent: 'yes', status: 403, serverWords: '…' }) },
    { canceled: failed({}), locked: [[], [someLocked()], failed({})] },
  ];
  it('a cancel-all: question, report, list and receipt', async () => {
    const display = aDisplay();
    for (const script of scripts) {
      const { cancelAll, clock, receipts, seen } = cancelAllUnderTest(script);
      await cancelAll.run();
      await clock.advance(15_000);
      cancelAll.dispose();
      const { plan } = seen.questions[0] ?? assert.fail('no question');
      const again = { ...plan, recentCancels: receipts.kept, sendableAt: plan.plannedAt + 5000 };
      for (const unreadReason of [undefined, 'paused', failed({}).failure] as const)
        assertPseudo(withoutDay(planText({ ...again, unreadReason }, plan, display)));
      for (const receipt of receipts.kept) {
        assertPseudo(outcomeLook(receipt).label());
        assertPseudo(outcomeText(receipt, display));
        const report = { receipt, isSaved: false, isActive: receipt.outcome === 'sending' };
        assertPseudo(cancelReportText(report, display));
        const document = receiptDocument(report, display, noReceiptActions);
        for (const text of receiptTexts(withoutFields(document))) assertPseudo(withoutDay(text));
      }
    }
  });

  it('an alert of each kind', () => {
    const alerts = Object.values(someAlerts);
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
