import assert from 'node:assert/strict';
import { UserFacingError } from '../../../../src/base/errors.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { ExchangeError, type Failure } from '../../../../src/exchange/exchangeError.ts';
import { anAccount, aPosition, aProfile } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { errorText } from '../../../../src/host/text/failureText.ts';
import { ageText } from '../../../../src/host/text/messageText.ts';
import { accountAnnotations } from '../../../../src/host/tables/referenceTables.ts';
import { createTableDefinition } from '../../../../src/host/tables/tables.ts';
import { tableTexts } from '../../../../src/host/tables/tables.ts';
import { pageNotes } from '../../../../src/host/tables/exchangeRows.ts';
import { tableNames } from '../../../../src/protocol/table.ts';
import { formatTexts } from '../../../../src/pages/table/state/pageTexts.ts';
const { assetsView, lockedOrdersView, positionsView } =
  await import('../../../../src/host/trees/accountViews.ts');

const german = aDisplay({ locale: 'de' });

function sentence(failure: Partial<Failure>, display = aDisplay()): string {
  const whole = { kind: 'server', sent: 'yes', operation: 'accounts', ...failure } as const;
  return errorText(new ExchangeError(whole), display);
}

describe('the text of a request that could not be sent as configured', () => {
  it('says what is wrong and what to do, once', () => {
    const kind = 'configuration';
    assert.equal(
      sentence({ kind, detail: phrase('The API key is empty: enter it again.') }),
      'Could not read the account: nothing was sent. The API key is empty: enter it again.',
    );
    assert.equal(
      sentence({ kind, detail: phrase('its weight is too much: raise the share') }),
      'Could not read the account: nothing was sent: its weight is too much: raise the share.',
    );
  });

  it('points to the profile if there is no detail', () => {
    assert.equal(
      sentence({ kind: 'configuration' }),
      'Could not read the account: nothing was sent. Check the profile with “Margin Desk: Edit Profile…”.',
    );
  });
});

describe('the text of an invalid response', () => {
  it('quotes the exchange, with figures masked in privacy mode', () => {
    const failure = {
      ...({ kind: 'malformed', status: 200, serverWords: 'Closed at 12000' } as const),
      detail: phrase('the answer is {0}', phrase('not JSON')),
    };
    assert.equal(
      sentence(failure),
      'Could not read the account: the response does not match the API: the answer is not JSON. The exchange returned HTTP 200: “Closed at 12000”. Check the base URL.',
    );
    assert.match(sentence(failure, aDisplay({ hidesMoney: true })), /“Closed at •••”/);
  });

  it('points to the exchange after a cancel-all, which may have worked', () => {
    assert.match(
      sentence({ kind: 'malformed', operation: 'cancelAll', detail: 'HTTP 202' }),
      /the API: HTTP 202\. Check your open orders at the exchange\.$/,
    );
  });
});

describe('counts in sentences are formatted for the language', () => {
  it('in ages, waits and phrases of other rooms', () => {
    assert.equal(ageText(12_345 * 3_600_000, german), '12.345 h');
    assert.match(
      sentence({ kind: 'rateLimited', status: 429, retryAfterMs: 1_234_000 }, german),
      /Try again in 20 min\.$/,
    );
    const error = new UserFacingError(
      phrase('{0} requests, {1}', 12_345, phrase('{0} days', 1000)),
    );
    assert.equal(errorText(error, german), '12.345 requests, 1.000 days');
  });

  it('over a table and on its page', () => {
    const page = { sent: [], badRecords: [], ignoredFilters: [], unproven: [] };
    const notes = pageNotes({ ...page, rowsOutsidePeriod: 1234, maxPageSize: 1010 }, 5000, german);
    assert.match(notes.join(' '), /^1\.234 rows at .+ at most 1\.010 rows per page\.$/);
    const texts = formatTexts(tableTexts('orders'), 'de');
    assert.equal(texts.pastEnd(1_234_567), 'Page 1.234.567 is past the end');
    assert.equal(texts.retryIn(1234), 'Retrying in 1.234 s');
  });

  it('on the badge, also for decimals', () => {
    const { snapshot } = { snapshot: { account: anAccount(), badRecords: [], asOf: 0, sentAt: 0 } };
    const critical = { band: 'critical' };
    const drawing = {
      snapshot,
      session: { profile: aProfile(), staleness: {} },
      display: german,
      risk: {
        limits: { criticalPercent: 2.5 },
        rankPositions: () => Array.from({ length: 1234 }, () => critical),
      },
    };
    const badge = positionsView().badge?.(drawing as never);
    assert.equal(
      badge?.tooltip,
      '1.234 critical positions: within 2,5 % of liquidation, or past it',
    );
  });
});

describe('what a page shows of the account', () => {
  const snapshot = {
    account: anAccount({ positions: [aPosition({ leverage: '3', symbol: 'btc_usdt' })] }),
    badRecords: [],
    asOf: Date.UTC(2026, 10, 20),
    readAt: Date.UTC(2026, 10, 20),
    sentAt: Date.UTC(2026, 10, 20),
  };
  const partOf = (name: 'leverageRules' | 'exchangeInformation', staleMs: number | undefined) => {
    const session = { store: { state: { snapshot } }, staleness: { staleAgeMs: staleMs } };
    const active = { state: { kind: 'open', session } } as unknown as Parameters<
      typeof accountAnnotations
    >[2];
    return accountAnnotations(createTableDefinition(name), [['2'], ['3']], active, aDisplay());
  };

  it('comes from the newest snapshot, and is stale with it', () => {
    const fresh = partOf('leverageRules', undefined);
    assert.deepEqual([fresh.marks, fresh.notes], [[{ row: 1, label: 'btc_usdt' }], []]);
    assert.deepEqual(partOf('leverageRules', 190_000).notes, [
      'Stale: the account data on this page is 3 min old, read 2026-11-20 00:00:00 UTC.',
    ]);
  });

  it('is empty for a table without account data', () => {
    const nothing = { marks: [], summary: [], notes: [] };
    assert.deepEqual(partOf('exchangeInformation', 190_000), nothing);
  });
});

describe('without rows', () => {
  it('each view says so', () => {
    for (const { emptyMessage } of [positionsView(), assetsView(), lockedOrdersView()])
      assert.match(emptyMessage, /^No [a-z ]+\.$/);
  });

  for (const table of tableNames)
    it(`the table ${table} says what to do, with and without filters`, () => {
      const { nothingYetHint, noMatchHint } = tableTexts(table);
      assert.match(nothingYetHint, /[Rr]efresh/);
      assert.match(noMatchHint, /^Extend the period .+ clear all filters\.$/);
    });
});

describe('the text of a 407', () => {
  it('says that the proxy asks, not that the exchange refused', () => {
    const failure = { kind: 'refused', sent: 'yes', operation: 'orders', status: 407 } as const;
    const sentence = errorText(new ExchangeError(failure), aDisplay());
    assert.match(sentence, /: the proxy requires sign-in \(HTTP 407\)\./);
    assert.doesNotMatch(sentence, /exchange refused|filters/);
  });
});
