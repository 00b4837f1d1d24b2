import assert from 'node:assert/strict';
import type { CancelPlan } from '../../../src/account/cancelAll/plan.ts';
import { someLocked } from '../../support/builders.ts';
import { cancelAllUnderTest } from '../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { planDetail } = await import('../../../src/host/commands/planWords.ts');

describe('the question of a cancel-all', () => {
  const plan = (fields: Partial<CancelPlan>): CancelPlan => ({
    account: cancelAllUnderTest().world.account,
    locked: [someLocked()],
    badRecords: [],
    ...{ asOf: 0, plannedAt: 0, isFresh: true, isPaused: false, recent: [] },
    ...fields,
  });
  const linesOf = (fields: Partial<CancelPlan>): string[] =>
    planDetail(plan(fields), undefined, aDisplay({})).split('\n').slice(0, 2);

  it('says of what time its figures are, and why they are not of now', () => {
    const before = 'Locked by open orders when it was read last:';
    assert.equal(linesOf({})[0], 'Locked by open orders now:');
    assert.deepEqual(linesOf({ isFresh: false, isPaused: true }), [
      'The exchange wants a pause, so the account was not read anew.',
      before,
    ]);
    assert.deepEqual(linesOf({ isFresh: false }), [
      'The rate limit is used up but for what is kept to cancel, so the account was not read anew.',
      before,
    ]);
  });
});
