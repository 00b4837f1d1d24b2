import assert from 'node:assert/strict';
import type { Alert } from '../../../../src/account/alerts/alerts.ts';
import { JsonNumber } from '../../../../src/base/exactJson.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import type {
  Observation,
  ObservedExchangeInfo,
} from '../../../../src/exchange/history/learnedConventions.ts';
import { ExchangeError, type ErrorKind } from '../../../../src/exchange/exchangeError.ts';
import { reportDocument } from '../../../../src/host/connectionReport/connectionReports.ts';
import type { ReportedConnection } from '../../../../src/host/connectionReport/reportChecklist.ts';
import { documentMarkdown } from '../../../../src/host/webview/markdown.ts';
import { anAccount, aPosition, someLocked, wire } from '../../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  noReceiptActions,
  reportOf,
  type Script,
} from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';
import {
  asDrawn,
  nothingRead,
  overviewOfAccount,
  readOnDemand,
} from '../../../support/overviewUnderTest.ts';
import { receiptTexts } from '../../../support/receiptTexts.ts';
import { someProfile } from '../../../support/testExporter.ts';
import { alertText } from '../../../../src/host/alerts/alertNotifications.ts';
import { cancelReportText } from '../../../../src/host/cancelAll/cancelAllCommand.ts';
import { planText } from '../../../../src/host/cancelAll/planText.ts';
import { receiptDocument } from '../../../../src/host/cancelAll/receiptDocument.ts';
import { errorText } from '../../../../src/host/text/failureText.ts';

const display = aDisplay();
const hostile = [
  '[x](command:workbench.action.quit)',
  '<img src=x onerror=alert(1)>',
  '\u202eevil\u2066\u200b',
  '\u001b]8;;https://evil.example\u0007click\u001b[31m',
  'one\nTWO\r\u2028THREE\u0085FOUR',
];

/** No control, bidirectional or invisible character. */
function assertPlain(text: string): void {
  assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\u2028\u2029]/u, JSON.stringify(text));
}

/** The same for a message, in which VS Code would make a link of `[a](b)`. */
function assertInert(text: string): void {
  assertPlain(text);
  assert.ok(!text.includes(']('), text);
}

/** The same, line by line, for a document of ours: no line of it is the exchange's. */
function assertInertDocument(text: string): void {
  for (const line of text.split('\n')) assertPlain(line);
  assert.doesNotMatch(text, /^(?:TWO|THREE|FOUR)/m);
}

/** The same for Markdown: no link, image, tag or code that a renderer would make of the exchange's text. */
function assertInertMarkdown(markdown: string): void {
  assertInertDocument(markdown);
  const unescaped = markdown.replace(/\\./g, '').replace(/^\|(?: :?--:? \|)+$/gm, '');
  assert.doesNotMatch(unescaped, /[[\]<>`!@]|www\.|:\/\//);
}

for (const bad of hostile)
  describe(`a server that returns ${JSON.stringify(bad)}`, () => {
    const locked = [someLocked({ symbol: bad })];
    const order = aCanceledOrder({
      symbol: bad,
      side: bad,
      type: bad,
      status: bad,
      clientOrderId: bad,
      extra: { [bad]: bad, list: [bad], number: new JsonNumber('1') },
    });
    const problem = phrase('{0} should be {1} and {2}', '$', bad, phrase('is "{0}"', bad));
    const badRecords = [{ path: bad, problem }];
    const failures: Script['canceled'][] = (
      ['auth', 'refused', 'rateLimited', 'network', 'server', 'malformed', 'redirected'] as const
    ).map((kind: ErrorKind) =>
      failed({
        kind,
        sent: 'yes',
        status: 403,
        serverWords: bad,
        serverCode: bad,
        detail: bad,
      }),
    );

    it('cannot inject into question, report and receipt', async () => {
      for (const canceled of [[order], ...failures]) {
        const { cancelAll, report, seen } = cancelAllUnderTest({
          ...(canceled && { canceled }),
          badRecords,
          unread: badRecords,
          locked: [locked],
        });
        await cancelAll.run();
        cancelAll.dispose();
        const { plan } = seen.questions[0] ?? assert.fail('nothing was asked');
        const unreadReasons =
          canceled instanceof ExchangeError ? [undefined, canceled.failure] : [undefined];
        for (const unreadReason of unreadReasons)
          for (const line of planText({ ...plan, unreadReason }, undefined, display).split('\n'))
            assertPlain(line);
        assertInert(cancelReportText(reportOf(report()), display));
        const receipt = receiptDocument(reportOf(report()), display, noReceiptActions);
        for (const text of receiptTexts(receipt)) assertPlain(text);
        assertInertMarkdown(documentMarkdown(receipt));
      }
    });

    it('cannot inject into an alert', () => {
      const failure = { kind: 'refused', sent: 'yes', operation: 'accounts', status: 400 } as const;
      const danger = { symbol: bad, band: 'near', isPast: false, distancePercent: '8', asOf: 0 };
      const alerts = [
        { kind: 'positions', positions: [danger] },
        ...['order', 'unread'].map((by) => ({ kind: 'liquidations', by, symbols: [bad] })),
        {
          kind: 'connection',
          since: 0,
          failure: new ExchangeError({ ...failure, serverWords: bad, serverCode: bad }),
        },
      ] as unknown as readonly Alert[];
      for (const alert of alerts)
        assertInert(alertText(alert, { name: bad, environment: 'live' }, display));
    });

    it('cannot inject into a sentence', () => {
      const kinds = ['configuration', 'network', 'malformed', 'tooLarge', 'redirected'] as const;
      for (const kind of kinds)
        for (const detail of [bad, problem]) {
          const failure = { kind, sent: 'yes', operation: 'orders', detail } as const;
          assertInert(errorText(new ExchangeError(failure), display));
        }
    });

    it('cannot inject into the account overview', () => {
      const account = anAccount({
        assets: [{ ...(anAccount().assets?.[0] ?? assert.fail()), name: bad }],
        positions: [aPosition({ symbol: bad, marginMode: bad })],
        orders: locked,
        tradeFeeAsset: bad,
      });
      const failure = { kind: 'refused', sent: 'yes', operation: 'accounts', status: 400 } as const;
      const rows = {
        items: [{ ...order, time: bad }],
        place: 'unproven' as const,
        notes: [],
        badRecords: [],
      };
      const reads = { ...nothingRead, orders: readOnDemand(rows) };
      const overview = overviewOfAccount(wire(account), {
        reads,
        profile: { name: bad },
        failure: new ExchangeError({ ...failure, serverWords: bad, serverCode: bad }),
      });
      assert.equal(overview.sections.length, 7);
      for (const text of receiptTexts(asDrawn(overview))) assertPlain(text);
    });

    it('cannot inject into a connection report', () => {
      const limit = { rateLimitType: bad, interval: bad, intervalNum: bad, limit: bad };
      const rateLimits = [true, false].map((isEnforced) => ({ ...limit, isEnforced }));
      const published = { timezone: bad, rateLimits, supposedPerMinute: null };
      const information: ObservedExchangeInfo = { ...published, aheadMs: 0, readAt: 0 };
      const answer = { kind: 'refused', status: 400 } as const;
      const seen: Observation = { operation: 'orders', asked: [['statuses', bad]], answer };
      const evidence = [seen];
      const finding = { concluded: 'undecided', reason: 'noRows', seenAt: 0, evidence } as const;
      for (const knowsZone of [true, false]) {
        const conventions = {
          learned: { findings: { lists: finding }, information, probe: null },
          resolved: [{ name: 'lists', value: 'repeat', source: 'assumed', finding }],
          timezone: bad,
          isZoneKnown: knowsZone,
        } as Partial<ReportedConnection['conventions']> as ReportedConnection['conventions'];
        const profile = { ...someProfile, name: bad };
        const failure = { kind: 'auth', sent: 'yes', operation: 'accounts' } as const;
        const error = new ExchangeError({ ...failure, serverWords: bad });
        const failed = { kind: 'fails', error } as const;
        const check = { profile, credentialsError: undefined, testedAt: 0 };
        const report = reportDocument(
          {
            profile,
            conventions,
            exists: true,
            check: { ...check, information: failed, account: failed },
          },
          0,
          display,
          { test: () => Promise.resolve(), override: () => Promise.resolve() },
        );
        for (const text of receiptTexts(report)) assertPlain(text);
        assertInertMarkdown(documentMarkdown(report));
      }
    });
  });
