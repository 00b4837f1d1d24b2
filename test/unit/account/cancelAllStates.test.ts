import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CancelAccount } from '../../../src/account/cancelAll/account.ts';
import type { Ended } from '../../../src/account/cancelAll/outcome.ts';
import type { CancelPlan } from '../../../src/account/cancelAll/plan.ts';
import { receiptOfSending } from '../../../src/account/cancelAll/receiptSteps.ts';
import { step, type CancelEvent, type CancelState } from '../../../src/account/cancelAll/states.ts';
import { someLocked } from '../../support/builders.ts';
import { cancelAllUnderTest, failed } from '../../support/cancelAllUnderTest.ts';

const { openAccount } = cancelAllUnderTest();
const accounts = [openAccount(), openAccount(), openAccount({ fingerprint: 'f2' })] as const;

function aPlan(account: CancelAccount, lockedBid: string, plannedAt: number): CancelPlan {
  const locked = [someLocked({ lockedBid })];
  return {
    ...{ account, locked, badRecords: [], recent: [] },
    ...{ asOf: plannedAt, isFresh: true, isPaused: false, plannedAt },
  };
}

const receipt = receiptOfSending(aPlan(accounts[0], '1', 0), 0);
const ends: readonly Ended[] = [
  { kind: 'answered', canceled: [], badRecords: [] },
  { kind: 'failed', failure: failed({ sent: 'no' }).failure },
  { kind: 'failed', failure: failed({}).failure },
];

const account = fc.constantFrom(...accounts);
const time = fc.integer({ min: 0, max: 100_000 });
const plans = fc
  .tuple(account, fc.constantFrom('1', '1.0', '2'), time)
  .map(([of, locked, at]) => aPlan(of, locked, at));
const events: fc.Arbitrary<CancelEvent> = fc.oneof(
  fc.constant({ kind: 'pressed' } as const),
  plans.map((plan) => ({ kind: 'planned', plan }) as const),
  fc
    .tuple(account, time)
    .map(([of, nowMs]) => ({ kind: 'confirmed', account: of, nowMs }) as const),
  fc.constant({ kind: 'stopped' } as const),
  fc.constantFrom(...ends).map((ended) => ({ kind: 'ended', ended, receipt }) as const),
  fc.constant({ kind: 'verified', receipt } as const),
);

describe('the states of a cancel-all', () => {
  it('send at most once for each yes, and only what was said yes to', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 60 }), (sequence) => {
        let state: CancelState = { at: 'idle' };
        let agreed: CancelPlan | undefined;
        for (const event of sequence) {
          const next = step(state, event);
          if (event.kind === 'confirmed' && state.at === 'confirming') agreed = state.plan;
          if (next.at === 'sending' && state.at !== 'sending') {
            assert.ok(agreed, 'it was sent without a yes');
            assert.equal(next.plan.account.fingerprint, agreed.account.fingerprint);
            assert.equal(
              Number(next.plan.locked[0]?.lockedBid),
              Number(agreed.locked[0]?.lockedBid),
            );
            agreed = undefined;
          }
          if (next.at === 'idle' || next.at === 'confirming') agreed = undefined;
          state = next;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('never send a plan that is older than 30 s or of another opening', () => {
    fc.assert(
      fc.property(plans, account, time, (plan, of, nowMs) => {
        const next = step({ at: 'confirming', plan, earlier: undefined }, {
          ...{ kind: 'confirmed', account: of, nowMs },
        } as const);
        const isCurrent = of === plan.account && Math.abs(nowMs - plan.plannedAt) <= 30_000;
        assert.equal(next.at, isCurrent ? 'sending' : 'planning');
      }),
    );
  });

  it('let nothing stop what has left, and a second press join', () => {
    const plan = aPlan(accounts[0], '1', 0);
    const sending: CancelState = { at: 'sending', plan };
    const verifying: CancelState = {
      at: 'verifying',
      plan,
      receipt,
      ended: ends[0] ?? assert.fail(),
    };
    for (const state of [sending, verifying])
      for (const kind of ['stopped', 'pressed'] as const)
        assert.equal(step(state, { kind }), state);
    const planning = step({ at: 'idle' }, { kind: 'pressed' });
    assert.equal(step(planning, { kind: 'pressed' }), planning);
  });
});

describe('a cancel-all in one window', () => {
  it('sends exactly one DELETE for each yes, whatever happens', async () => {
    const ending = fc.constantFrom('answered', 'cut', 'never left', 'refused');
    const script = fc.record({
      ending,
      says: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      presses: fc.integer({ min: 1, max: 4 }),
      locks: fc.array(fc.constantFrom('0', '1', '2'), { minLength: 1, maxLength: 5 }),
      lateMs: fc.constantFrom(0, 31_000),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ ending: end, says, presses, locks, lateMs }) => {
        let yes = 0;
        const test = cancelAllUnderTest({
          locked: locks.map((lockedBid) => [someLocked({ lockedBid, sumSizeBid: '0' })]),
          canceled: {
            answered: [],
            cut: failed({}),
            'never left': failed({ sent: 'no' }),
            refused: failed({ kind: 'auth', sent: 'yes', status: 403, serverWords: 'no' }),
          }[end],
          says: says
            .map((answer) => async () => {
              await test.clock.advance(lateMs);
              if (answer) yes += 1;
              return answer;
            })
            .concat(() => Promise.resolve(false)),
        });
        while (test.seen.questions.length < says.length)
          await Promise.all(Array.from({ length: presses }, () => test.cancelAll.press()));
        await test.clock.advance(60_000);
        assert.ok(test.seen.deletes <= yes, `${test.seen.deletes} for ${yes}`);
        const marks = test.receipts.kept.filter(({ outcome }) => outcome === 'sending');
        assert.equal(marks.length, test.seen.deletes);
        test.cancelAll.dispose();
      }),
      { numRuns: 150 },
    );
  });

  it('joins a second press to the first: one question, one DELETE', async () => {
    const test = cancelAllUnderTest();
    await Promise.all([test.cancelAll.press(), test.cancelAll.press()]);
    assert.deepEqual([test.seen.questions.length, test.seen.deletes], [1, 1]);
    assert.equal(test.seen.reports.length, 1);
  });

  it('sends nothing when the window closes while the question stands', async () => {
    const test = cancelAllUnderTest({
      says: [
        () => {
          test.cancelAll.dispose();
          return Promise.resolve(true);
        },
      ],
    });
    await test.cancelAll.press();
    assert.deepEqual([test.seen.deletes, test.receipts.kept.length], [0, 0]);
  });

  it('leaves a mark before the DELETE leaves, and what came back before it reads on', async () => {
    const outcomes: string[][] = [];
    const noted = () => outcomes.push(test.receipts.kept.map(({ outcome }) => outcome));
    const test = cancelAllUnderTest({
      canceled: () => {
        noted();
        return Promise.reject(failed({}));
      },
      history: () => {
        noted();
        return Promise.resolve([]);
      },
    });
    await test.cancelAll.press();
    assert.deepEqual(outcomes, [['sending'], ['sending', 'unknown']]);
    assert.equal(new Set(test.receipts.kept.map(({ id }) => id)).size, 1);
  });
});
