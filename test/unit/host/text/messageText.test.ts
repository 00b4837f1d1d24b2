import assert from 'node:assert/strict';
import { UserFacingError } from '../../../../src/base/errors.ts';
import { phrase } from '../../../../src/base/phrase.ts';
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
const { positionsView } = await import('../../../../src/host/trees/accountViews.ts');

const german = aDisplay({ locale: 'de' });

describe('counts in sentences are formatted for the language', () => {
  it('in ages, waits and phrases of other rooms', () => {
    assert.equal(ageText(12_345 * 3_600_000, german), '12.345 h');
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

describe('a table without rows', () => {
  it('says what to do, with and without filters', () => {
    for (const table of tableNames) {
      const { nothingYetHint, noMatchHint } = tableTexts(table);
      assert.match(nothingYetHint, /[Rr]efresh/);
      assert.match(noMatchHint, /^Extend the period .+ clear all filters\.$/);
    }
  });
});
