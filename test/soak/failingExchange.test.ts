import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { readdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { minuteMs, systemClock } from '../../src/base/time.ts';
import { RateLimitFile } from '../../src/exchange/rateLimit/rateLimitFile.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { activeResources } from '../support/activeResources.ts';
import { worstFixed, worstSliding } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import type { Fault } from '../support/hostileExchange/faults.ts';
import { inSeconds } from '../support/hostileExchange/limit.ts';
import type { HostileExchangeOptions } from '../support/hostileExchange/options.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/project.ts';
import { faults, planHeader, refusals, Soak } from '../support/soak.ts';

const durationMs = minuteMs;
const windowMs = 3000;
const limit = 600;

/** Every outcome that a request may have: done, aborted, or a failure of a provoked kind. */
const expected =
  /^\w+ (?:done|aborted|auth|refused|rateLimited|network|timeout|server|malformed|tooLarge|redirected)$/;
const mustOccur = ['page done', 'page aborted', 'walk done', 'refresh done', 'cancel done'];

function failing(): Partial<HostileExchangeOptions> {
  const [toReads, toDeletes] = [cycled(faults), cycled([...faults, ...refusals])];
  const each = (fails: boolean, next: () => Fault | undefined) => (fails ? next() : undefined);
  const rateLimit = {
    rateLimitType: 'HARD_LIMIT',
    interval: 'SECOND',
    intervalNum: windowMs / 1000,
  };
  return {
    rows: { trades: 300, lots: 300 },
    uplinkMs: () => Math.random() * 30,
    downlinkMs: () => Math.random() * 30,
    rateLimits: JSON.stringify([{ ...rateLimit, limit }]),
    limit: { weight: limit, windowMs, retryAfter: inSeconds },
    faultOf: ({ operation, nth }) => {
      if (operation === 'cancelAll') return each(nth % 3 !== 0, toDeletes);
      return each(operation !== 'exchangeInfo' && Math.random() < 0.15, toReads);
    },
  };
}

/** Returns the items one after the other, again and again. */
function cycled<Item>(items: readonly Item[]): () => Item | undefined {
  let next = 0;
  return () => items[next++ % items.length];
}

/** Each plan sends at most one DELETE, only after its confirmation, and its reported outcome is true. */
function hasSentOnce({ confirmed, reported }: Soak, exchange: HostileExchange): void {
  const sent = exchange.seen('cancelAll').map(({ headers }) => String(headers[planHeader]));
  const counts = Object.groupBy(sent, (plan) => plan);
  assert.deepEqual(
    Object.keys(counts).filter((plan) => counts[plan]?.length !== 1 || !confirmed.includes(plan)),
    [],
  );
  for (const [plan, outcome] of reported)
    if (outcome === 'notSent') assert.ok(!sent.includes(plan), plan);
    else assert.ok(sent.includes(plan), `${plan} ${outcome}`);
  assert.deepEqual(
    sent.filter((plan) => !reported.has(plan)),
    [],
  );
  const faced = (durationMs / minuteMs) * 1.5 * (faults.length + refusals.length);
  assert.ok(sent.length >= faced, `${sent.length} DELETEs met too few faults`);
}

describe('two windows on an exchange that fails in every way', function () {
  this.timeout(2 * minuteMs);
  const start = exchangesOfEachTest();
  let folder: TemporaryFolder;
  let soak: Soak;
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);

  before(async () => {
    folder = await temporaryFolder();
    process.on('warning', note);
  });
  after(async () => {
    process.off('warning', note);
    await folder.remove();
  });

  /** Runs even if the test failed halfway: a window that goes on would keep the process alive. */
  afterEach(() => {
    soak.ended.abort();
    soak.dispose();
  });

  const newRateLimiter = (): RateLimiter => {
    const onProblem = (error: unknown): never => assert.fail(String(error));
    const options = { folder: folder.path, name: 'limit.json', clock: systemClock, onProblem };
    const store = new RateLimitFile(options);
    return new RateLimiter({ store, clock: systemClock, share: () => 1 });
  };

  it('keeps the limit, and ends without a timer, connection, lock, reservation or listener', async () => {
    // Mocha sets its own timer once this function has returned.
    await new Promise(setImmediate);
    const before = activeResources();
    const exchange = await start(failing());
    soak = new Soak({ exchange, newRateLimiter });
    await soak.run(durationMs);

    const outcomes = [...soak.outcomes.keys()];
    const story = JSON.stringify(Object.fromEntries(soak.outcomes));
    const worst = [worstSliding, worstFixed].map((count) => count(exchange.arrivals, windowMs));
    assert.ok(Math.max(...worst) <= limit, `${worst.join(' ')} of ${limit}`);
    assert.deepEqual(
      outcomes.filter((outcome) => !expected.test(outcome)),
      [],
    );
    assert.deepEqual(
      mustOccur.filter((outcome) => !outcomes.includes(outcome)),
      [],
      story,
    );
    hasSentOnce(soak, exchange);

    assert.deepEqual(getEventListeners(soak.ended.signal, 'abort'), []);
    soak.dispose();
    await eventually('no connection', () => exchange.openConnections === 0);
    await exchange.close();
    const isAsBefore = (): boolean => isDeepStrictEqual(activeResources(), before);
    await eventually('nothing more than before keeps the process alive', isAsBefore);
    const left = await readdir(folder.path, { recursive: true });
    assert.deepEqual(left.sort(), ['limit.json', 'limit.json.intents']);
    const rateLimiter = newRateLimiter();
    await eventually('no reservation', () => rateLimiter.usage.used === 0);
    rateLimiter.dispose();
    assert.deepEqual(warnings, []);
  });
});
