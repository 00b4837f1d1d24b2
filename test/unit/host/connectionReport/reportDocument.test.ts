import { phrase } from '../../../../src/base/phrase.ts';
import { autoConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../../../src/exchange/history/exchangeConventions.ts';
import type {
  ObservedExchangeInfo,
  PublishedLimit,
} from '../../../../src/exchange/history/learnedConventions.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import {
  CredentialsRequiredError,
  type TestedConnection,
} from '../../../../src/host/profiles/credentials.ts';
import { aProfile } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { assertApproved, assertApprovedLines } from '../../../support/approved.ts';
import type { ReportedConnection } from '../../../../src/host/connectionReport/reportChecklist.ts';

const nothingPublished: ObservedExchangeInfo = {
  timezone: null,
  rateLimits: [],
  supposedPerMinute: null,
  aheadMs: null,
  readAt: 0,
};

/** The connection of a profile that was never tested; `information` is what its exchange published. */
function aReportedConnection(
  known: { readonly information?: Partial<ObservedExchangeInfo> } = {},
): ReportedConnection {
  const conventions = new ExchangeConventions(autoConventions);
  if (known.information)
    conventions.recordExchangeInfo({ ...nothingPublished, ...known.information });
  return { profile: aProfile(), conventions, exists: true };
}

const { reportDocument } =
  await import('../../../../src/host/connectionReport/connectionReports.ts');
const { documentMarkdown } = await import('../../../../src/host/webview/markdown.ts');

const actions = { test: () => Promise.resolve(), override: () => Promise.resolve() };
const testedAt = Date.UTC(2026, 10, 20, 10);
const reportOf = (connection: ReportedConnection) =>
  reportDocument(connection, testedAt + 60_000, aDisplay(), actions);
const approve = (name: string, connection: ReportedConnection): void =>
  assertApproved(`connectionReport/${name}`, reportOf(connection));

const limit = { rateLimitType: 'HARD_LIMIT', interval: 'MINUTE', intervalNum: '1', limit: '1000' };
const enforced: PublishedLimit = { ...limit, isEnforced: true };
const unknown: PublishedLimit = { ...limit, interval: 'M', limit: '100', isEnforced: false };

/** A connection whose test worked, but for what a test of this file changes. */
function tested(
  check: Partial<TestedConnection> = {},
  information: Partial<ObservedExchangeInfo> = {},
): ReportedConnection & { readonly check: TestedConnection } {
  const works: TestedConnection = {
    information: { kind: 'works', durationMs: 3, value: { symbols: 2, serverAheadMs: 0 } },
    account: { kind: 'works', durationMs: 4, value: { positions: 1, badRecords: [] } },
    profile: aProfile(),
    credentialsError: undefined,
    testedAt,
  };
  const known = { timezone: 'Asia/Tokyo', rateLimits: [enforced], aheadMs: 0, readAt: testedAt };
  const connection = aReportedConnection({ information: { ...known, ...information } });
  // A test detects the conventions once the exchange was reached.
  if (check.information?.kind !== 'fails')
    connection.conventions.recordProbe({}, { at: testedAt, weight: 12 });
  return { ...connection, check: { ...works, ...check } };
}

describe('the report of a connection that was tested', () => {
  it('says what works, and what proves each convention', () => {
    const connection = tested();
    const { conventions } = connection;
    const seen = { seenAt: testedAt };
    const refused = { kind: 'refused', status: 400 } as const;
    const rows = {
      ...({ kind: 'rows', rows: 50, size: '50', totalPages: '3', totalElements: '120' } as const),
      ...{ firstTime: testedAt - 1000, lastTime: testedAt - 9000 },
    };
    const asked = [['size', '100']] as const;
    const pages = { reason: 'largePagesRefused', ...seen } as const;
    const lots = [
      { operation: 'lots', asked, answer: refused },
      { operation: 'lots', asked: [['size', '50']], answer: rows },
    ] as const;
    const trades = [{ operation: 'trades', asked: [['size', '200']], answer: refused }] as const;
    conventions.recordFinding('maxPageSize.lots', { ...pages, concluded: 50, evidence: lots });
    conventions.recordFinding('maxPageSize.trades', { ...pages, concluded: 100, evidence: trades });
    conventions.recordProbe(
      {
        sort: { concluded: 'newestFirst', reason: 'timesInOrder', evidence: [], ...seen },
        dates: { concluded: 'undecided', reason: 'budgetSpent', evidence: [], ...seen },
      },
      { at: testedAt, weight: 100 },
    );
    approve('tested', connection);
  });

  it('says why nothing works, and keeps the limit that was read before', () => {
    const failure = { kind: 'network', sent: 'maybe', operation: 'exchangeInfo' } as const;
    const information = { kind: 'fails', error: new ExchangeError(failure) } as const;
    const error = new ExchangeError({ ...failure, operation: 'accounts' });
    const readAt = Date.UTC(2026, 0);
    approve('failed', tested({ information, account: { kind: 'fails', error } }, { readAt }));
  });

  it('says why the exchange rejects the account, with a clock that is ahead', () => {
    const failure = { kind: 'auth', sent: 'yes', operation: 'accounts', status: 401 } as const;
    const error = new ExchangeError({ ...failure, serverWords: 'no such key' });
    const account = { kind: 'fails', error } as const;
    approve('rejected', tested({ account }, { aheadMs: 2500 }));
  });

  it('says that credentials are missing, with a clock that is unknown', () => {
    const credentialsError = new CredentialsRequiredError(aProfile(), { kind: 'none' });
    const account = { kind: 'fails', error: credentialsError } as const;
    approve(
      'noCredentials',
      tested({ account, credentialsError }, { aheadMs: null, timezone: 'Nowhere' }),
    );
  });

  it('names each part of the account that could not be read, with a clock that is behind', () => {
    const badRecords = [{ problem: phrase('{0} should be a number', '$.upl') }];
    const account = {
      ...({ kind: 'works', durationMs: 4 } as const),
      value: { positions: undefined, badRecords: badRecords as never },
    };
    approve('partlyRead', tested({ account }, { aheadMs: -61_000 }));
  });

  it('says which limits are enforced, and what is used because one is not known', () => {
    const unreadable = { ...limit, limit: null, isEnforced: false };
    const rateLimits = [enforced, unknown, unreadable];
    approve('unknownLimits', tested({}, { rateLimits, supposedPerMinute: 100 }));
    approve('noLimits', tested({}, { rateLimits: [] }));
  });
});

describe('a connection report', () => {
  const practice = aProfile({ environment: 'practice' });

  it('claims nothing before a test, and offers to override each convention', () => {
    approve('untested', aReportedConnection());
  });

  it('of the practice exchange knows everything without a test, and offers no override', () => {
    const conventions = new ExchangeConventions({ ...autoConventions, sort: 'newestFirst' });
    const connection = { profile: practice, conventions, exists: true };
    approve('practice', connection);
  });

  it('says what is set by hand, and offers to change it', () => {
    const settings = { ...autoConventions, firstPage: 1, overLimitStatuses: [429] } as const;
    const conventions = new ExchangeConventions(settings);
    approve('overridden', { ...aReportedConnection(), conventions });
  });

  it('of a profile that is gone offers no override', () => {
    approve('gone', { ...aReportedConnection(), exists: false });
  });

  it('is copied as Markdown', () => {
    const markdown = documentMarkdown(reportOf(aReportedConnection()));
    assertApprovedLines('connectionReport/markdown', [markdown]);
  });
});
