import assert from 'node:assert/strict';
import { singleFlight } from '../../../src/base/singleFlight.ts';

describe('singleFlight', () => {
  it('shares a call that runs, and starts a new one after it ended, also by a failure', async () => {
    let calls = 0;
    const call = singleFlight(() => Promise.reject(new Error(String((calls += 1)))));
    const [one, two] = await Promise.allSettled([call(), call()]);
    assert.deepEqual([one, two].map(reason), ['1', '1']);
    await assert.rejects(call(), { message: '2' });
  });
});

function reason(result: PromiseSettledResult<unknown>): string {
  return result.status === 'rejected' ? (result.reason as Error).message : 'fulfilled';
}
