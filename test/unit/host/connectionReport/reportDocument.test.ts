import assert from 'node:assert/strict';
import type { Profile } from '../../../../src/account/session/profile.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { autoConventions } from '../../../../src/exchange/conventions/apiConventions.ts';
import { ConventionResolver } from '../../../../src/exchange/conventions/conventionResolver.ts';
import type { PublishedLimit } from '../../../../src/exchange/conventions/learnedConventions.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import type { TestedConnection } from '../../../../src/host/profiles/checkConnection.ts';
import { aProfile } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { assertApproved } from '../../../support/approved.ts';
import { blockOf } from '../../../support/shownDocument.ts';
import type { ReportedConnection } from '../../../../src/host/connectionReport/reportChecklist.ts';
import { aReportedConnection } from '../../../support/reportedConnection.ts';
const { reportDocument } =
  await import('../../../../src/host/connectionReport/connectionReports.ts');
const { documentMarkdown } = await import('../../../../src/host/webview/markdown.ts');

const actions = { test: () => Promise.resolve(), override: () => Promise.resolve() };
const reportOf = (connection: ReportedConnection) =>
  reportDocument(connection, 0, aDisplay(), actions);
const checksOf = (connection: ReportedConnection) =>
  blockOf(reportOf(connection), 'checklist').items;
const rowsOf = (connection: ReportedConnection) => blockOf(reportOf(connection), 'table').rows;

const limit = { rateLimitType: 'HARD_LIMIT', interval: 'MINUTE', intervalNum: '1', limit: '1000' };
const enforced: PublishedLimit = { ...limit, isEnforced: true };
const unknown: PublishedLimit = { ...limit, interval: 'M', limit: '100', isEnforced: false };

describe('the limits of a connection report', () => {
  const check = (rateLimits: readonly PublishedLimit[], supposedPerMinute: number | null) => {
    const connection = aReportedConnection({ information: { rateLimits, supposedPerMinute } });
    const { state, texts } = checksOf(connection)[2] ?? assert.fail('no limits');
    return [state, ...texts];
  };

  it('says which are enforced, and that an unknown one is not', () => {
    assert.deepEqual(check([enforced, unknown], null), [
      'problem',
      '1,000 weight per 1 MINUTE, which Margin Desk never exceeds (HARD_LIMIT)',
      '100 per 1 M, of a kind that Margin Desk does not know (HARD_LIMIT)',
    ]);
  });

  it('says what is enforced instead of an unknown limit', () => {
    assert.match(check([unknown], 100).at(-1) ?? '', /^Because .*, at most 100 weight per minute/);
  });

  it('shows an unreadable value as a dash', () => {
    const texts = check([enforced, { ...limit, limit: null, isEnforced: false }], 1000);
    assert.equal(texts[2], '— per 1 MINUTE, of a kind that Margin Desk does not know (HARD_LIMIT)');
    assert.match(texts[3] ?? '', /^Because .*, at most 1,000/);
  });

  it('says since when they are known if the last test could not read them', () => {
    const unread = { kind: 'fails', error: new Error('no') } as const;
    const check = { information: unread, account: unread, profile: aProfile() };
    const connection = {
      ...aReportedConnection({
        information: { rateLimits: [enforced], readAt: Date.UTC(2026, 0) },
      }),
      check: { ...check, credentialsError: undefined, testedAt: 0 },
    };
    const { state, texts = [] } = checksOf(connection)[2] ?? {};
    assert.equal(state, 'problem');
    assert.match(texts.at(-1) ?? '', /^Read on 20.* The last test could not read/);
  });

  it('are not known before exchange information was read', () => {
    const items = checksOf(aReportedConnection());
    assert.deepEqual([items[2]?.state, items[2]?.texts], ['pending', ['Not known yet.']]);
  });
});

describe('the checklist of a connection report', () => {
  const tested = (check: Partial<TestedConnection>, profile: Profile = aProfile()) => {
    const works: TestedConnection = {
      information: { kind: 'works', durationMs: 3, value: { symbols: 2, serverAheadMs: 0 } },
      account: { kind: 'works', durationMs: 4, value: { positions: 1, badRecords: [] } },
      profile,
      credentialsError: undefined,
      testedAt: 0,
    };
    const connection = { ...aReportedConnection(), profile, check: { ...works, ...check } };
    return checksOf(connection);
  };

  it('names scheme, key header and clock beside the account', () => {
    const [reachable, authentication] = tested({});
    assert.equal(reachable?.state, 'done');
    assert.equal(reachable.texts[0], 'Exchange information: 2 symbols, 3 ms.');
    assert.deepEqual(
      [authentication?.state, ...(authentication?.texts ?? [])],
      [
        'done',
        'HMAC-SHA256, signature in query — API key + secret',
        'Key header: X-API-KEY',
        'Account: 1 positions, 4 ms.',
        'Clock in sync (difference 0.0 s).',
      ],
    );
  });

  it('names the clock of an exchange that is ahead, and one that is unknown', () => {
    const clock = (serverAheadMs: number) =>
      tested({
        information: { kind: 'works', durationMs: 3, value: { symbols: 2, serverAheadMs } },
      })[1]?.texts.at(-1);
    assert.match(clock(2500) ?? '', /is 2\.5 s ahead\. Requests are signed with its time/);
    assert.match(clock(-61_000) ?? '', /is 61\.0 s behind\./);
    assert.equal(clock(Number.NaN), 'The time of the exchange is unknown.');
  });

  it('says why a part does not work', () => {
    const failure = { kind: 'auth', sent: 'yes', operation: 'accounts', status: 401 } as const;
    const error = new ExchangeError({ ...failure, serverWords: 'no such key' });
    const [reachable, authentication] = tested({ account: { kind: 'fails', error } });
    assert.equal(reachable?.state, 'done');
    assert.equal(authentication?.state, 'problem');
    assert.match(authentication.texts.join(), /HTTP 401: “no such key”/);
  });

  it('names each part of the account that could not be read', () => {
    const badRecords = [{ problem: phrase('{0} should be a number', '$.upl') }];
    const account = {
      ...({ kind: 'works', durationMs: 4 } as const),
      value: { positions: undefined, badRecords: badRecords as never },
    };
    const [, authentication] = tested({ account });
    assert.equal(authentication?.state, 'problem');
    assert.match(
      authentication.texts.join(),
      /Account: — positions, 4 ms\.,A part of the account could not be read: \$\.upl should be a number\./,
    );
  });
});

describe('the conventions of a connection report', () => {
  it('name the largest page of each history that refused a larger one', () => {
    const conventions = new ConventionResolver(autoConventions);
    const connection = { ...aReportedConnection(), conventions };
    for (const [operation, concluded] of [
      ['lots', 50],
      ['trades', 100],
    ] as const) {
      const refused = { operation, asked: [], answer: { kind: 'refused', status: 400 } } as const;
      const finding = { concluded, reason: 'largePagesRefused', seenAt: 0 } as const;
      conventions.recordFinding('maxPageSize', { ...finding, evidence: [refused] });
    }
    const row = rowsOf(connection).find(([label]) => label?.notes?.includes('maxPageSize')) ?? [];
    assert.deepEqual(
      [row[1]?.text, row[2]?.text, row[3]?.more?.summary],
      ['trades 100, lots 50', 'Proven', '2 requests'],
    );
  });
});

describe('a connection report', () => {
  const practice = aProfile({ environment: 'practice' });

  it('claims nothing before a test, and offers to override each convention', () => {
    assertApproved('connectionReport/untested', reportOf(aReportedConnection()));
  });

  it('of the practice exchange knows everything without a test, and offers no override', () => {
    const conventions = new ConventionResolver({ ...autoConventions, sort: 'newestFirst' });
    const connection = { profile: practice, conventions, exists: true };
    assertApproved('connectionReport/practice', reportOf(connection));
  });

  it('of a profile that is gone offers no override', () => {
    const connection = { ...aReportedConnection(), exists: false };
    assert.deepEqual(
      rowsOf(connection).flatMap((row) => row.flatMap(({ button }) => button ?? [])),
      [],
    );
  });

  it('is copied as Markdown', () => {
    const markdown = documentMarkdown(reportOf(aReportedConnection()));
    assert.match(markdown, /^# Connection report\n\n.*\n\n## Checklist\n\n- \*\*Reachable\*\*: /);
    assert.match(
      markdown,
      /\n\| Convention \| Value \| Proven or default \| Evidence \| Override \|\n/,
    );
    assert.match(
      markdown,
      /\n\| Date format · dates \| epochMs \| Default · Not tested yet \| — \| {2}\|\n/,
    );
  });
});
