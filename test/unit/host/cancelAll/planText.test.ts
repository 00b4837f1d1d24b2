import type { CancelPlan } from '../../../../src/account/cancelAll/cancelPlan.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { someLocked } from '../../../support/builders.ts';
import { cancelAllUnderTest, failed } from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';
import { planText } from '../../../../src/host/cancelAll/planText.ts';

const plannedAt = Date.UTC(2026, 10, 20, 5, 32, 52);
const lockedAssets = [{ name: 'usdt', locked: '100.123456' }];
const figures = {
  locked: [someLocked()],
  badRecords: [],
  lockedAssets,
  asOf: plannedAt - 70_000,
};
const { failure } = failed({ kind: 'server', sent: 'yes', operation: 'accounts', status: 500 });

function plan(fields: Partial<CancelPlan>): CancelPlan {
  const { account } = cancelAllUnderTest().world;
  const none = { unreadReason: undefined, sendableAt: undefined, recentCancels: [] };
  return { account, figures, plannedAt, ...none, ...fields };
}

const twoMinutesOld = { ...figures, asOf: plannedAt - 120_000 };
const old = { asOf: plannedAt - 200_000, badRecords: [], lockedAssets: [], locked: [] };
const future = { ...old, asOf: plannedAt + 5000 };
const problem = phrase('{0} should be {1} and {2}', '$.orders', 'a list', 'is missing');
const badRecords = [{ path: '$.orders', problem }];
const unlisted = { locked: undefined, badRecords, lockedAssets: [], asOf: plannedAt - 70_000 };
const words = { ...failure, serverWords: 'maintenance until 6' };
const many = Array.from({ length: 14 }, (_, index) => someLocked({ symbol: `s${index}` }));

const plans: Readonly<Record<string, Partial<CancelPlan>>> = {
  locked: {},
  twoSymbols: { figures: { ...figures, locked: many.slice(0, 2) } },
  nothingLocked: { figures: { ...figures, locked: [] } },
  oneTooMany: { figures: { ...figures, locked: many.slice(0, 13) } },
  manySymbols: { figures: { ...figures, locked: many } },
  twoMinutesOld: { figures: twoMinutesOld },
  notRead: { unreadReason: failure },
  refusedWithWords: { unreadReason: words },
  nothingLockedBefore: { unreadReason: 'paused', figures: old },
  readInTheFuture: { unreadReason: 'paused', figures: future },
  neverRead: { unreadReason: 'limitUsed', figures: undefined },
  unlisted: { figures: unlisted },
  unlistedBefore: { unreadReason: 'paused', figures: unlisted },
  limitUsed: { unreadReason: 'limitUsed', sendableAt: plannedAt + 12_300 },
};

describe('the question of a cancel-all', () => {
  const approve = (name: string, fields: Partial<CancelPlan>, display = aDisplay()): void =>
    assertApprovedLines(`cancelAll/questions/${name}`, [
      planText(plan(fields), undefined, display),
    ]);

  for (const [name, fields] of Object.entries(plans))
    it(`names what is locked, and how that is known: ${name}`, () => approve(name, fields));

  it('masks figures, also those in the words of the exchange, in privacy mode', () => {
    approve('private', { unreadReason: words }, aDisplay({ hidesMoney: true }));
  });

  it('says that what was confirmed has changed, or that another account is open', () => {
    const other = { ...plan({}).account, fingerprint: 'another' };
    const lines = [plan({}), plan({ account: other })].map(
      (earlier) => planText(plan({}), earlier, aDisplay()).split('\n')[0] ?? '',
    );
    assertApprovedLines('cancelAll/questions/again', lines);
  });

  it('names the last of several recent cancel-alls', async () => {
    const { cancelAll, report } = cancelAllUnderTest();
    await cancelAll.run();
    const sent = (s: number) => ({ ...report(), sentAt: plannedAt - s * 1000 });
    const recentCancels = [sent(3), sent(8)];
    approve('oneRecent', { recentCancels: recentCancels.slice(0, 1) });
    approve('recentByAnotherClock', { recentCancels: [sent(-2)] });
    approve('twoRecent', { recentCancels });
  });
});
