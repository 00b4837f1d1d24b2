import assert from 'node:assert/strict';
import {
  readLedgerSummary,
  type LedgerSummary,
} from '../../../../src/ledger/coverage/ledgerSummary.ts';
import type { Coverage, LedgerHistory, SavedWalk } from '../../../../src/ledger/ledger.ts';
import { ledgerDocument } from '../../../../src/host/ledger/ledgerDocument.ts';
import type { LedgerMonth } from '../../../../src/protocol/ledgerMap.ts';
import { aProfile, aTrade } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';

const account = { profile: aProfile({ name: 'Main' }) };
const [august, september, november] = ['2026-08-15', '2026-09-10', '2026-11-20'].map((day) =>
  Date.parse(`${day}T00:00:00Z`),
) as [number, number, number];

/** The summary of a ledger whose trades have this coverage, and no other history any. */
function summaryOf(
  trades: readonly Coverage[],
  walks: readonly SavedWalk[] = [],
): Promise<LedgerSummary> {
  const isTrades = (history: LedgerHistory): boolean => history === 'trades';
  return readLedgerSummary(
    {
      rows: ({ history }) =>
        Promise.resolve(
          isTrades(history)
            ? {
                rows: [aTrade({ time: String(august) })],
                total: 3,
                listed: 3,
                sortedAsText: 0,
                unlisted: [],
              }
            : { rows: [], total: 0, listed: 0, sortedAsText: 0, unlisted: [] },
        ),
    },
    {
      coverage: (history) => Promise.resolve(isTrades(history) ? trades : []),
      unfinishedWalks: () => Promise.resolve(walks),
    },
  );
}

/** Of the exchange. */
const now = november + 5 * 60_000;

function read(fields: Partial<Coverage>): Coverage {
  return {
    from: august,
    to: november,
    completeness: 'complete',
    reason: null,
    asOf: november,
    ...fields,
  };
}

const isWholly =
  (wanted: LedgerMonth['parts'][number]['state']) =>
  ({ parts }: LedgerMonth): boolean =>
    parts.every(({ state }) => state === wanted || state === 'ahead');

/** Each month, and its parts in percent. */
const drawn = ({ label, parts }: LedgerMonth): string =>
  `${label} ${parts.map(({ state, share }) => `${state} ${Math.round(share * 100)}`).join(', ')}`;

async function tradesOf(reads: readonly Coverage[]) {
  const document = ledgerDocument(account, await summaryOf(reads), 2048, aDisplay(), now);
  const [orders, trades] = document.map?.histories ?? [];
  assert.ok(orders && trades);
  return { document, orders, trades };
}

describe('the page of a ledger', () => {
  it('shows each month by its state in words, and up to when rows are complete', async () => {
    const { trades, orders, document } = await tradesOf([read({})]);
    assert.deepEqual(
      trades.months.map(({ detail }) => detail),
      [
        '2026-08: complete from 2026-08-15 00:00:00 UTC',
        '2026-09: complete',
        '2026-10: complete',
        '2026-11: complete to 2026-11-20 00:00:00 UTC · month not over yet',
      ],
    );
    const reach = 'complete from 2026-08-15 00:00:00 UTC to 2026-11-20 00:00:00 UTC';
    assert.equal(trades.summary, `3 rows · ${reach}`);
    assert.deepEqual(trades.gaps, []);
    assert.equal(orders.summary, '0 rows · never read');
    assert.ok(orders.months.every(isWholly('neverRead')));
    assert.deepEqual(
      document.details.map(({ label, text }) => `${label}: ${text}`),
      ['Rows: 3', 'File: 2 KiB', 'Last synchronised: 2026-11-20 00:00:00 UTC'],
    );
    const actions = document.buttons.map(({ action }) => action);
    assert.ok(!actions.includes('fillGaps'));
    assert.ok(actions.includes('openReconciliation'));
  });

  it('names each gap with its reason, and offers to fill it', async () => {
    const { trades, document } = await tradesOf([
      read({ to: september, completeness: 'unknown', reason: 'countDisagrees' }),
      read({ from: september + 86_400_000 }),
    ]);
    assert.deepEqual(trades.gaps, [
      '2026-08-15 00:00:00 UTC – 2026-09-10 00:00:00 UTC: the exchange counts more rows than it returned',
      '2026-09-10 00:00:00 UTC – 2026-09-11 00:00:00 UTC: never read',
    ]);
    assert.deepEqual(trades.months.map(drawn), [
      '2026-08 neverRead 45, unknown 55',
      '2026-09 unknown 30, neverRead 3, complete 67',
      '2026-10 complete 100',
      '2026-11 complete 63, ahead 37',
    ]);
    assert.equal(trades.months[1]?.detail, '2026-09: complete from 2026-09-11 00:00:00 UTC');
    assert.match(trades.summary, /read to 2026-11-20 00:00:00 UTC, with gaps$/);
    assert.ok(document.buttons.some(({ action }) => action === 'fillGaps'));
  });

  it('begins with the oldest row if everything was read', async () => {
    const { trades } = await tradesOf([read({ from: 0 })]);
    assert.equal(trades.months[0]?.label, '2026-08');
  });

  it('draws no reason of another version as it is', async () => {
    const reason = '<img src=x>';
    const { trades } = await tradesOf([read({ completeness: 'unknown', reason })]);
    assert.match(trades.gaps[0] ?? '', /: not verified$/);
  });

  it('says which history is being read, and which read is paused', async () => {
    const walk = {
      from: 0,
      to: november,
      id: 1,
      cursor: null,
      asOf: 0,
      purpose: 'download',
    } as const;
    const summary = await summaryOf(
      [read({})],
      [
        { ...walk, history: 'trades', isPaused: true },
        { ...walk, history: 'orders', isPaused: false },
      ],
    );
    const { map } = ledgerDocument(account, summary, 2048, aDisplay(), now);
    const [orders, trades] = map?.histories ?? [];
    assert.equal(orders?.summary, '0 rows · being read');
    assert.equal(
      trades?.summary,
      '3 rows · complete from 2026-08-15 00:00:00 UTC to 2026-11-20 00:00:00 UTC · paused',
    );
  });

  it('shows what is being read as that, and not as never read', async () => {
    const walk = { id: 1, cursor: null, asOf: 0, purpose: 'download', isPaused: false } as const;
    const [trades = assert.fail()] = [
      await summaryOf(
        [read({ from: september })],
        [{ ...walk, history: 'trades', from: august, to: september }],
      ),
    ].map((summary) => ledgerDocument(account, summary, 0, aDisplay(), now).map?.histories[1]);
    assert.deepEqual(trades.months.slice(0, 2).map(drawn), [
      '2026-08 neverRead 45, beingRead 55',
      '2026-09 beingRead 30, complete 70',
    ]);
    assert.deepEqual(
      trades.months.slice(0, 2).map(({ detail }) => detail),
      ['2026-08: being read', '2026-09: complete from 2026-09-10 00:00:00 UTC · being read'],
    );
  });

  it('shows the first read before it ends, with what it has reached of no month', async () => {
    const walk = { id: 1, cursor: null, asOf: 0, purpose: 'download', isPaused: true } as const;
    const first = { ...walk, history: 'trades', from: september, to: november } as const;
    const { map, notes } = ledgerDocument(
      account,
      await summaryOf([], [first]),
      0,
      aDisplay(),
      now,
    );
    assert.deepEqual(notes, ['The first download has not ended yet.']);
    assert.deepEqual(
      map?.histories[1]?.months.map(({ detail }) => detail),
      ['2026-09: paused', '2026-10: paused', '2026-11: month not over yet · paused'],
    );
    assert.deepEqual(map.legend.at(-2)?.label, 'being read');
    assert.equal(map.histories[0]?.months[1]?.detail, '2026-10: never read');
  });

  it('says how much of a month there is if it has a hole', async () => {
    const day = 86_400_000;
    const reads = [read({ to: september }), read({ from: september + 2 * day })];
    const { trades } = await tradesOf(reads);
    assert.equal(trades.months[1]?.detail, '2026-09: 28 of 30 days complete');
  });

  it('has no map before the first read', async () => {
    const { map, notes } = ledgerDocument(account, await summaryOf([]), 2048, aDisplay(), now);
    assert.equal(map, null);
    assert.deepEqual(notes, ['Nothing was downloaded yet.']);
  });
});
