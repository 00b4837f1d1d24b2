import assert from 'node:assert/strict';
import { JsonNumber } from '../../../../src/base/exactJson.ts';
import { ServerClock } from '../../../../src/exchange/http/serverClock.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const start = Date.UTC(2026, 10, 20, 12);
/** How long the machine has run then: its steady clock shows a very different time. */
const uptimeMs = 3_600_000;

/** Exchange information that tells this time. */
const informationAt = (ms: number) => ({ serverTime: new JsonNumber(String(ms)) });
const dated = (ms: number, others: Record<string, string> = {}) =>
  new Headers({ date: new Date(ms).toUTCString(), ...others });
const spanOf = (durationMs: number, sentAtMs = start) => {
  const [receivedAtMs, steady] = [sentAtMs + durationMs, sentAtMs - start + uptimeMs];
  const steadySpan = { sentAtMs: steady, receivedAtMs: steady + durationMs };
  return { sentAtMs, receivedAtMs, steady: steadySpan };
};

describe('the exchange’s clock', () => {
  it('is zero while no answer contradicts it', () => {
    const offset = new ServerClock(new FakeClock());
    for (const ms of [start, start + 100, start + 200])
      offset.setFromServerTime(informationAt(ms), spanOf(200));
    assert.equal(offset.aheadMs, 0);
  });

  it('is the middle of what a contradicting answer allows, and stays while others agree', () => {
    const offset = new ServerClock(new FakeClock());
    offset.setFromServerTime(informationAt(start + 90_100), spanOf(200));
    assert.equal(offset.aheadMs, 90_000);
    offset.setFromServerTime(informationAt(start + 90_950), spanOf(2000));
    assert.equal(offset.aheadMs, 90_000);
    offset.setFromServerTime(informationAt(start - 59_900), spanOf(200));
    assert.equal(offset.aheadMs, -60_000);
  });

  it('has an error as large as the answers allow', () => {
    const offset = new ServerClock(new FakeClock());
    assert.equal(offset.ofSteadyClock.errorMs, Infinity);
    offset.setFromServerTime(informationAt(start + 90_100), spanOf(200));
    assert.equal(offset.ofSteadyClock.errorMs, 100);
    offset.setFromServerTime(informationAt(start + 90_950), spanOf(2000));
    assert.equal(offset.ofSteadyClock.errorMs, 100);
    offset.setFromServerTime(informationAt(start + 90_010), spanOf(20));
    assert.equal(offset.ofSteadyClock.errorMs, 10);
    offset.setFromServerTime(informationAt(start - 59_500), spanOf(1000));
    assert.equal(offset.ofSteadyClock.errorMs, 500);
  });

  it('uses a Date of anybody only after a refusal, and to its second', () => {
    const offset = new ServerClock(new FakeClock());
    offset.moveOn(0);
    offset.rememberDate(dated(start + 90_000), spanOf(0));
    offset.rememberDate(new Headers(), spanOf(0));
    offset.rememberDate(new Headers({ date: 'soon' }), spanOf(0));
    offset.rememberDate(dated(start - 90_000, { age: '3' }), spanOf(0));
    assert.equal(offset.aheadMs, 0);
    offset.moveOn(0);
    assert.equal(offset.aheadMs, 90_500);
  });

  it('uses the Date of the exchange’s own answers, within their second and duration', () => {
    const offset = new ServerClock(new FakeClock());
    offset.setFromDate(new Headers(), spanOf(0));
    offset.setFromDate(dated(start + 2000), spanOf(2000));
    offset.setFromDate(dated(start - 600_000, { age: '0' }), spanOf(0));
    assert.equal(offset.aheadMs, 0);
    offset.setFromDate(dated(start - 600_000), spanOf(200));
    assert.equal(offset.aheadMs, -599_600);
  });

  it('uses no Date any more once there was a serverTime', () => {
    const offset = new ServerClock(new FakeClock());
    offset.setFromServerTime(informationAt(start), spanOf(0));
    offset.setFromDate(dated(start + 90_000), spanOf(0));
    assert.equal(offset.aheadMs, 0);
  });

  it('is the other of serverTime and Date after each refusal, if they differ by a second', () => {
    const offset = new ServerClock(new FakeClock());
    offset.setFromServerTime(informationAt(start - 3_600_000), spanOf(0));
    offset.rememberDate(dated(start), spanOf(0));
    offset.moveOn(-3_600_000);
    assert.equal(offset.aheadMs, 500);
    offset.setFromServerTime(informationAt(start - 3_601_000), spanOf(0));
    assert.equal(offset.aheadMs, 500, 'outdated still');
    offset.moveOn(-3_600_000);
    assert.equal(offset.aheadMs, 500, 'a late answer');
    offset.moveOn(500);
    assert.equal(offset.aheadMs, -3_601_000);
    offset.rememberDate(dated(start - 3_601_000), spanOf(0));
    offset.moveOn(-3_601_000);
    assert.equal(offset.aheadMs, -3_601_000, 'no useful difference');
  });

  it('becomes the first serverTime after a Date', () => {
    const offset = new ServerClock(new FakeClock());
    offset.rememberDate(dated(start + 90_000), spanOf(0));
    offset.moveOn(0);
    offset.setFromServerTime(informationAt(start + 90_900), spanOf(0));
    assert.equal(offset.aheadMs, 90_900);
  });

  it('reads seconds, to their second, and micro- and nanoseconds like milliseconds', () => {
    const ms = start + 90_000;
    const aheadOf = (serverTime: string) => {
      const offset = new ServerClock(new FakeClock());
      offset.setFromServerTime({ serverTime: new JsonNumber(serverTime) }, spanOf(0));
      return offset.aheadMs;
    };
    assert.equal(aheadOf(String(ms).slice(0, 10)), Math.floor(ms / 1000) * 1000 - start + 500);
    for (const more of ['', '123', '123456']) assert.equal(aheadOf(`${ms}${more}`), 90_000);
  });

  for (const information of [null, [], 'x', {}, new JsonNumber('1'), { serverTime: true }])
    it(`learns nothing from ${JSON.stringify(information)}`, () => {
      const offset = new ServerClock(new FakeClock());
      offset.setFromServerTime(information, spanOf(0));
      assert.equal(offset.aheadMs, 0);
    });
});

describe('the exchange’s time for what is stored', () => {
  let clock: FakeClock;
  let time: ServerClock;
  beforeEach(() => {
    clock = new FakeClock(start, uptimeMs);
    time = new ServerClock(clock);
  });
  /** An answer that took so long, and came now. */
  const spanTo = (durationMs: number) => {
    const span = (end: number) => ({ sentAtMs: end - durationMs, receivedAtMs: end });
    return { ...span(clock.now()), steady: span(clock.steadyNow()) };
  };
  const inform = (ms: number, durationMs = 0) =>
    time.setFromServerTime(informationAt(ms), spanTo(durationMs));

  /** Whether it is read, and with which answer. */
  const isRead = async (answer: () => void = () => undefined) => {
    let reads = 0;
    await time.renew(() => {
      reads += 1;
      answer();
      return Promise.resolve();
    });
    return reads === 1;
  };

  it('is ours until an answer named one', () => {
    assert.equal(time.reached(), start);
    assert.equal(time.ofSteadyClock.errorMs, Infinity);
  });

  it('is no later than it may be, and goes on whatever our clock shows', () => {
    inform(start + 90_000, 200);
    assert.equal(time.reached(), start + 90_000);
    const aheadMs = start - uptimeMs + 90_100;
    assert.deepEqual(time.ofSteadyClock, { aheadMs, errorMs: 100 });
    for (const ms of [3_600_000, -7_200_000]) {
      clock.setAhead(ms);
      clock.sleep(1000);
    }
    assert.equal(time.reached(), start + 92_000);
  });

  it('is that of Date if it is earlier, and of Date alone once serverTime is known to be wrong', () => {
    inform(start);
    time.setFromDate(dated(start + 60_000), spanTo(0));
    assert.equal(time.reached(), start);
    time.setFromDate(dated(start - 60_000), spanTo(0));
    assert.equal(time.reached(), start - 60_000);
    time.rememberDate(dated(start - 60_000), spanTo(0));
    time.moveOn(0);
    inform(start - 600_000);
    assert.equal(time.reached(), start - 60_000);
  });

  it('is read again after an hour, after our clock was set, and if Date shows that ours stood still', async () => {
    const answer = () => inform(start);
    time.setFromDate(dated(start), spanTo(0));
    assert.ok(await isRead(answer));
    assert.ok(!(await isRead()));
    clock.setAhead(20_000);
    assert.equal(time.ofSteadyClock.errorMs, Infinity);
    assert.ok(await isRead(answer));
    assert.equal(time.ofSteadyClock.errorMs, 0);
    assert.ok(!(await isRead()));
    time.setFromDate(dated(start + 7_200_000), spanTo(0));
    assert.equal(time.reached(), start, 'too early rather than too late');
    assert.equal(time.ofSteadyClock.errorMs, Infinity);
    assert.ok(await isRead(() => inform(start + 7_200_000)));
    assert.equal(time.reached(), start + 7_200_000);
    assert.ok(!(await isRead()));
    clock.sleep(3_600_001);
    assert.ok(await isRead());
  });

  it('is read again a minute after that failed, but not because an exchange names none', async () => {
    assert.ok(await isRead());
    assert.ok(!(await isRead()));
    clock.sleep(60_000);
    assert.ok(await isRead(() => time.setFromServerTime(null, spanTo(0))));
    clock.sleep(60_000);
    assert.ok(!(await isRead()));
  });
});

describe('reading the exchange’s time after a refusal', () => {
  it('happens once in ten minutes, and again at once after a read that was aborted', async () => {
    const clock = new FakeClock();
    const offset = new ServerClock(clock);
    let reads = 0;
    const read = (): Promise<void> => Promise.resolve(void (reads += 1));
    await offset.readAfterRefusal(() => Promise.reject(new Error('aborted')));
    await offset.readAfterRefusal(read);
    await offset.readAfterRefusal(read);
    assert.equal(reads, 1);
    await clock.advance(10 * 60_000);
    await offset.readAfterRefusal(read);
    assert.equal(reads, 2);
  });
});
