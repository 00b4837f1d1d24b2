import assert from 'node:assert/strict';
import {
  readLedgerSummary,
  type LedgerSummary,
} from '../../../../src/ledger/coverage/ledgerSummary.ts';
import type { Profile } from '../../../../src/account/session/profile.ts';
import type {
  Coverage,
  LedgerHistory,
  OldestRow,
  SavedWalk,
} from '../../../../src/ledger/ledger.ts';
import {
  closedDocument,
  ledgerDocument,
  noLedgerDocument,
} from '../../../../src/host/ledger/ledgerDocument.ts';
import { assertApproved } from '../../../support/approved.ts';
import { aProfile, aTrade } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { blocksOf } from '../../../support/shownDocument.ts';

const profile = aProfile({ name: 'Main' });
const display = aDisplay();
const [august, september, november] = ['2026-08-15', '2026-09-10', '2026-11-20'].map((day) =>
  Date.parse(`${day}T00:00:00Z`),
) as [number, number, number];

/** The summary of a ledger whose trades have this coverage, and no other history any. */
function summaryOf(
  trades: readonly Coverage[],
  walks: readonly SavedWalk[] = [],
  oldestRows: readonly OldestRow[] = [],
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
      oldestRows: (history) => Promise.resolve(isTrades(history) ? oldestRows : []),
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

async function documentOf(
  reads: readonly Coverage[],
  walks: readonly SavedWalk[] = [],
  of: Profile = profile,
) {
  const summary = await summaryOf(reads, walks);
  return ledgerDocument(of, summary, { bytes: 2048, now }, display, () => undefined);
}

async function tradesOf(reads: readonly Coverage[]) {
  const [map] = blocksOf(await documentOf(reads), 'map');
  return map?.lines[1] ?? assert.fail('no line of the trades');
}

const walk: SavedWalk = {
  ...{ id: 1, cursor: null, asOf: 0, purpose: 'download', isPaused: false },
  ...{ history: 'trades', from: august, to: september },
};

describe('the page of a ledger', () => {
  it('says how to begin without an account', () => {
    assertApproved('ledger/closed', closedDocument(display));
  });

  it('offers a download without a ledger', () => {
    assertApproved('ledger/none', noLedgerDocument(profile, display));
  });

  it('says that the practice exchange fills its ledger', async () => {
    const practice = { ...profile, environment: 'practice' } as const;
    const { sections } = await documentOf([read({})], [], practice);
    assert.match(sections[0]?.notes[0] ?? '', /fills this ledger by itself/);
  });

  it('has no map before the first read', async () => {
    assertApproved('ledger/unread', await documentOf([]));
  });

  it('shows each month by its state in words, and up to when rows are complete', async () => {
    assertApproved('ledger/complete', await documentOf([read({})]));
  });

  it('names each gap with its reason, and offers to fill it', async () => {
    const reads = [
      read({ to: september, completeness: 'unknown', reason: 'countDisagrees' }),
      read({ from: september + 86_400_000 }),
    ];
    assertApproved('ledger/gaps', await documentOf(reads));
  });

  it('shows what is being read as that, and not as never read, and which read is paused', async () => {
    const paused: SavedWalk = { ...walk, history: 'orders', isPaused: true, to: november };
    assertApproved('ledger/reading', await documentOf([read({ from: september })], [walk, paused]));
  });

  it('shows the first read before it ends, with what it has reached of no month', async () => {
    const first = { ...walk, from: september, to: november, isPaused: true };
    assertApproved('ledger/first', await documentOf([], [first]));
  });

  it('begins with the oldest row if everything was read', async () => {
    const { months } = await tradesOf([read({ from: 0 })]);
    assert.equal(months[0]?.label, '2026-08');
  });

  it('says how far back the exchange lists a history, what leaves soon, and offers to read it', async () => {
    const day = 86_400_000;
    const first = november - 95 * day;
    const oldestRows = [0, 1, 2, 3].map((number) => {
      const time = first + number * day;
      return { time, firstSeenAt: time + 92 * day, lastSeenAt: time + 92 * day };
    });
    const shown = async (reads: readonly Coverage[]) => {
      const summary = await summaryOf(reads, [], oldestRows);
      const filled: unknown[] = [];
      const document = ledgerDocument(profile, summary, { bytes: 2048, now }, display, (also) =>
        filled.push(...also),
      );
      const button = document.buttons.find(({ action }) => action === 'fillGaps');
      if (button && 'run' in button) void button.run([]);
      return { texts: document.sections.flatMap(({ notes }) => notes), filled };
    };
    const from = november - 89 * day;
    assert.deepEqual(await shown([read({ from })]), {
      texts: [
        'Trade History: the exchange lists about 92 days. 3 days of it are not complete in your ledger, and leave from 2026-11-20 to 2026-11-23.',
      ],
      filled: [{ history: 'trades', from: now - 92 * day, to: from }],
    });
    assert.deepEqual(await shown([read({ from: 0 })]), {
      texts: ['Trade History: the exchange lists about 92 days.'],
      filled: [],
    });
  });

  it('draws no reason of another version as it is', async () => {
    const reason = '<img src=x>';
    const { gaps } = await tradesOf([read({ completeness: 'unknown', reason })]);
    assert.match(gaps[0] ?? '', /: not verified$/);
  });

  it('says how much of a month there is if it has a hole', async () => {
    const day = 86_400_000;
    const { months } = await tradesOf([
      read({ to: september }),
      read({ from: september + 2 * day }),
    ]);
    assert.equal(months[1]?.detail, '2026-09: 28 of 30 days complete');
  });
});
