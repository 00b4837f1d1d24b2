import assert from 'node:assert/strict';
import { pause } from '../../../src/base/deadline.ts';
import { ClockOffset } from '../../../src/exchange/clockOffset.ts';
import { ExchangeError, type Failure } from '../../../src/exchange/errors.ts';
import type { JsonValue } from '../../../src/exchange/json.ts';
import type { Priority } from '../../../src/exchange/ledger/priority.ts';
import { Reads, type ReadsOptions } from '../../../src/exchange/reads.ts';
import { FakeClock } from '../../support/fakeClock.ts';

type SendOnce = ReadsOptions['sendOnce'];

function failed(failure: Partial<Failure>): ExchangeError {
  return new ExchangeError({ kind: 'server', sent: 'yes', operation: 'accounts', ...failure });
}
const unavailable = failed({ status: 503, serverWords: 'busy' });
const forTime = failed({ kind: 'auth', status: 401, serverWords: 'Timestamp is too old' });

describe('reads that may be sent again', () => {
  let clock: FakeClock;
  let clockOffset: ClockOffset;
  let sent: string[];
  beforeEach(() => {
    clock = new FakeClock();
    clockOffset = new ClockOffset();
    sent = [];
  });
  afterEach(() => assert.equal(clock.waiting, 0));

  /** Each sending ends as the next of `ends` says; times are counted from the first call on. */
  function reads(...ends: (JsonValue | Error | SendOnce)[]): Reads {
    const startedAt = clock.now();
    return new Reads({
      clock,
      clockOffset,
      random: () => 1,
      deadlineMs: 20_000,
      isTimed: () => true,
      sendOnce: (name, pairs, sending, attempt, understand) => {
        sent.push(`${name} ${attempt} at ${clock.now() - startedAt}`);
        const end = ends.shift() ?? assert.fail('one sending too many');
        if (end instanceof Error) return Promise.reject(end);
        return typeof end === 'function'
          ? end(name, pairs, sending, attempt, understand)
          : Promise.resolve(understand(end, 200));
      },
    });
  }

  function ask(subject: Reads, priority: Priority = 'interactive', signal?: AbortSignal) {
    const answer = subject.send('accounts', [], { priority, signal }, (value) => value);
    answer.catch(() => undefined);
    return answer;
  }

  const slowly =
    (delayMs: number, error: Error): SendOnce =>
    async (_name, _pairs, { signal }) => {
      await pause(clock, delayMs, signal ?? assert.fail());
      throw error;
    };

  it('pause longer each time, and give up after three', async () => {
    const asked = ask(reads(unavailable, unavailable, unavailable));
    await clock.advance(60_000);
    await assert.rejects(asked, unavailable);
    assert.deepEqual(sent, ['accounts 1 at 0', 'accounts 2 at 500', 'accounts 3 at 1500']);
  });

  it('go on at once, once, over another connection where the kept one had been closed', async () => {
    const closed = failed({ kind: 'network', sent: 'maybe', connection: 'closed' });
    const asked = ask(reads(closed, closed, 'answer'));
    await clock.advance(60_000);
    assert.equal(await asked, 'answer');
    assert.deepEqual(sent, ['accounts 1 at 0', 'accounts 2 at 0', 'accounts 3 at 1000']);
  });

  it('end with the failure that stands when 28 s are over for somebody who looks on', async () => {
    const subject = reads(slowly(19_000, unavailable), slowly(19_000, unavailable));
    const asked = ask(subject);
    await clock.advance(27_999);
    assert.equal(clock.waiting, 2);
    await clock.advance(1);
    await assert.rejects(asked, unavailable);
    assert.deepEqual(sent, ['accounts 1 at 0', 'accounts 2 at 19500']);
  });

  it('may take longer where nobody looks on', async () => {
    const subject = reads(slowly(19_000, unavailable), slowly(19_000, unavailable), 'answer');
    const asked = ask(subject, 'bulk');
    await clock.advance(60_000);
    assert.equal(await asked, 'answer');
  });

  it('give no deadline of ours to the caller as its own', async () => {
    const asked = ask(reads(slowly(60_000, unavailable)));
    await clock.advance(28_000);
    await assert.rejects(asked, (error: unknown) => {
      assert.ok(error instanceof ExchangeError);
      assert.deepEqual(error.failure, { kind: 'timeout', sent: 'no', operation: 'accounts' });
      return true;
    });
  });

  it('tell why they were to be sent again when the ledger does not let them', async () => {
    const refused = failed({ kind: 'rateLimited', sent: 'no', retryAfterMs: 60_000 });
    const asked = ask(reads(unavailable, refused));
    await clock.advance(1000);
    await assert.rejects(asked, unavailable);
    await assert.rejects(ask(reads(refused)), refused);
  });

  it('end with the caller’s reason, in a pause and while sent', async () => {
    for (const subject of [reads(unavailable), reads(slowly(5000, unavailable))]) {
      const controller = new AbortController();
      const asked = ask(subject, 'bulk', controller.signal);
      await clock.advance(100);
      controller.abort(new Error('enough'));
      await assert.rejects(asked, /enough/);
    }
    const before = sent.length;
    await assert.rejects(ask(reads(), 'bulk', AbortSignal.abort(new Error('enough'))), /enough/);
    assert.equal(sent.length, before);
  });

  const answersTime: SendOnce = (_name, _pairs, _sending, _attempt, understand) => {
    const span = { sentAtMs: clock.now(), receivedAtMs: clock.now() };
    clockOffset.noteDate(new Headers({ date: new Date(clock.now() + 90_000).toUTCString() }), span);
    return Promise.resolve(understand(null, 200));
  };

  it('ask for the time once, and count what is signed anew as one of the three', async () => {
    const asked = ask(reads(forTime, answersTime, forTime));
    await clock.advance(60_000);
    await assert.rejects(asked, forTime);
    assert.deepEqual(sent, ['accounts 1 at 0', 'exchangeInfo 1 at 0', 'accounts 2 at 0']);
    sent = [];
    const again = ask(reads(unavailable, unavailable, forTime));
    await clock.advance(60_000);
    await assert.rejects(again, forTime);
    assert.equal(sent.length, 3);
  });

  it('may fail for the time and then in passing', async () => {
    const asked = ask(reads(forTime, answersTime, unavailable, 'answer'));
    await clock.advance(60_000);
    assert.equal(await asked, 'answer');
    assert.equal(sent.length, 4);
  });
});
