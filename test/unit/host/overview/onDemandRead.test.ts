import assert from 'node:assert/strict';
import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { OnDemandRead } from '../../../../src/host/overview/overviewContext.ts';
import { aProfile } from '../../../support/builders.ts';

/** Of an exchange whose clock stands. */
const session = { profile: aProfile(), serverNow: () => 26_000.4 } as unknown as AccountSession;

/** A read whose answers the test gives one by one. */
function readUnderTest() {
  const asked: { answer: PromiseWithResolvers<string>; signal: AbortSignal }[] = [];
  let changes = 0;
  const ask = (_session: AccountSession, signal: AbortSignal): Promise<string> => {
    const answer = Promise.withResolvers<string>();
    asked.push({ answer, signal });
    return answer.promise;
  };
  const read = new OnDemandRead<string>(ask, () => (changes += 1));
  return { read, asked, changes: () => changes };
}

describe('a read on demand', () => {
  it('reads once, however often it is asked for while it reads', async () => {
    const { read, asked, changes } = readUnderTest();
    const started = read.start(session);
    await read.start(session);
    assert.equal(asked.length, 1);
    assert.equal(read.state.isReading, true);
    asked[0]?.answer.resolve('rows');
    await started;
    assert.deepEqual(read.state.last, { value: 'rows', readAt: 26_000 });
    assert.equal(changes(), 2);
  });

  it('keeps what it read before when it fails', async () => {
    const { read, asked } = readUnderTest();
    const first = read.start(session);
    asked[0]?.answer.resolve('rows');
    await first;
    const second = read.start(session);
    asked[1]?.answer.reject(new Error('down'));
    await second;
    const { last, failure } = read.state;
    assert.deepEqual([last?.value, failure instanceof Error], ['rows', true]);
  });

  it('drops the answer for an account that is no longer open', async () => {
    const { read, asked } = readUnderTest();
    const started = read.start(session);
    read.reset();
    assert.equal(asked[0]?.signal.aborted, true);
    asked[0].answer.resolve('rows of another account');
    await started;
    assert.deepEqual(read.state, { isReading: false });
  });
});
