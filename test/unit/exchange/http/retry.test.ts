import assert from 'node:assert/strict';
import { sleep } from '../../../../src/base/abort.ts';
import { JsonNumber } from '../../../../src/base/exactJson.ts';
import { ExchangeError, type Failure } from '../../../../src/exchange/exchangeError.ts';
import { retryRead, type AttemptOptions } from '../../../../src/exchange/http/retry.ts';
import { ServerClock, startSpan } from '../../../../src/exchange/http/serverClock.ts';
import type { Priority } from '../../../../src/exchange/rateLimit/priority.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

type Attempt = (options: AttemptOptions) => Promise<string>;
type Ask = (priority: Priority, signal?: AbortSignal) => Promise<string>;

function failed(failure: Partial<Failure>): ExchangeError {
  return new ExchangeError({ kind: 'server', sent: 'yes', operation: 'accounts', ...failure });
}
const unavailable = failed({ status: 503, serverWords: 'busy' });
const forTime = failed({ kind: 'auth', status: 401, serverWords: 'Timestamp is too old' });

describe('reads that may be sent again', () => {
  let clock: FakeClock;
  let clockOffset: ServerClock;
  let sent: string[];
  beforeEach(() => {
    clock = new FakeClock();
    clockOffset = new ServerClock(clock);
    sent = [];
  });
  afterEach(() => assert.equal(clock.waiting, 0));

  /** Each sending ends as the next of `ends` says; times are counted from the first call on. */
  function reads(...ends: (string | Error | Attempt)[]): Ask {
    const startedAt = clock.now();
    const sendAs =
      (operation: string): Attempt =>
      async (options) => {
        sent.push(`${operation} ${options.attempt ?? 1} at ${clock.now() - startedAt}`);
        const end = ends.shift() ?? assert.fail('one attempt too many');
        if (end instanceof Error) throw end;
        return typeof end === 'function' ? end(options) : end;
      };
    return (priority, signal) =>
      retryRead('accounts', sendAs('accounts'), {
        ...{ clock, serverClock: clockOffset, deadlineMs: 20_000, priority, signal },
        readTime: sendAs('exchangeInfo'),
        random: () => 1,
        writer: { sendsTimestamp: () => true },
      });
  }

  function ask(subject: Ask, priority: Priority = 'interactive', signal?: AbortSignal) {
    const answer = subject(priority, signal);
    answer.catch(() => undefined);
    return answer;
  }

  const slowly =
    (delayMs: number, error: Error): Attempt =>
    async ({ signal }) => {
      await sleep(clock, delayMs, signal);
      throw error;
    };

  it('end after 28 s with the last failure when a person waits', async () => {
    const subject = reads(slowly(19_000, unavailable), slowly(19_000, unavailable));
    const asked = ask(subject);
    await clock.advance(27_999);
    assert.equal(clock.waiting, 2);
    await clock.advance(1);
    await assert.rejects(asked, unavailable);
    assert.deepEqual(sent, ['accounts 1 at 0', 'accounts 2 at 19500']);
  });

  it('report our deadline as a timeout', async () => {
    const asked = ask(reads(slowly(60_000, unavailable)));
    await clock.advance(28_000);
    await assert.rejects(asked, (error: unknown) => {
      assert.ok(error instanceof ExchangeError);
      assert.deepEqual(error.failure, { kind: 'timeout', sent: 'no', operation: 'accounts' });
      return true;
    });
  });

  it('keep the first failure when the rate limit refuses another attempt', async () => {
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
  });

  const answersTime: Attempt = () => {
    clockOffset.rememberDate(
      new Headers({ date: new Date(clock.now() + 90_000).toUTCString() }),
      startSpan(clock)(),
    );
    return Promise.resolve('');
  };

  it('read the time once, and count the request that is signed again as one of the three', async () => {
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

  it('read no time after a 403 or the refusal of a gateway, and are not sent again', async () => {
    for (const failure of [{ status: 403 }, { status: 401, isFromGateway: true }]) {
      const refused = failed({ kind: 'auth', serverWords: 'no', ...failure });
      await assert.rejects(ask(reads(refused)), refused);
    }
    assert.deepEqual(sent, ['accounts 1 at 0', 'accounts 1 at 0']);
  });

  it('are signed again for the least correction after words about the time, and for a useful one otherwise', async () => {
    const invalid = failed({ kind: 'auth', status: 401, serverWords: 'Invalid signature' });
    for (const [refusal, isResigned] of [
      [forTime, true],
      [invalid, false],
    ] as const) {
      clockOffset = new ServerClock(clock);
      const corrects: Attempt = () => {
        const serverTime = new JsonNumber(String(clock.now() + 2));
        clockOffset.setFromServerTime({ serverTime }, startSpan(clock)());
        return Promise.resolve('');
      };
      const asked = ask(reads(refusal, corrects, 'answer'));
      if (isResigned) assert.equal(await asked, 'answer');
      else await assert.rejects(asked, refusal);
    }
  });

  it('end at once if the pause before another attempt would outlast their time', async () => {
    const attempt: Attempt = ({ budget }) => {
      budget.spend(19_600);
      return Promise.reject(unavailable);
    };
    await assert.rejects(ask(reads(attempt), 'refresh'), unavailable);
    assert.equal(sent.length, 1);
  });

  it('may fail for the time and then in passing', async () => {
    const asked = ask(reads(forTime, answersTime, unavailable, 'answer'));
    await clock.advance(60_000);
    assert.equal(await asked, 'answer');
    assert.equal(sent.length, 4);
  });
});
