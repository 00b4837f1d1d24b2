import assert from 'node:assert/strict';
import { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { createMemoryStore } from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../../../src/exchange/rateLimit/rateLimiter.ts';
import { aProfile } from '../../../support/builders.ts';
import { markedCredentials } from '../../../support/exchangeClient.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { limitedExchange } from '../../../support/limitedExchange.ts';

const minuteMs = 60_000;
const afterMinutes = 180;

/** A window that reads its account and downloads, while a person cancels all orders every five minutes. */
async function simulateFall(
  to: number,
  habits: { retryAfter?: string; hasFixedMinutes?: boolean },
) {
  const clock = new FakeClock();
  let limit = 1000;
  const exchange = limitedExchange({ clock, limit: () => limit, ...habits });
  const rateLimiter = new RateLimiter({ store: createMemoryStore(), clock, share: () => 0.5 });
  const session = new AccountSession({
    profile: aProfile(),
    credentials: markedCredentials,
    fetch: exchange.fetch,
    clock,
    rateLimiter,
  });
  session.refresher.setIntervalMs(15_000);
  const download = async (): Promise<void> => {
    const page = { operation: 'trades', filters: {}, page: 0, size: 20 } as const;
    const pause = () => new Promise<void>((resolve) => clock.after(1000, resolve));
    for (;;) await session.client.history(page, { priority: 'bulk' }).catch(pause);
  };
  for (let nth = 0; nth < 4; nth += 1) void download();
  await clock.advance(10 * minuteMs);
  limit = to;
  const fellAt = clock.now();
  const presses: { readonly at: number; outcome: string }[] = [];
  for (let minute = 0; minute < afterMinutes; minute += 5) {
    const press = { at: clock.now(), outcome: 'open' };
    presses.push(press);
    const set = (outcome: string) => () => (press.outcome = outcome);
    session.client.cancelAll().then(set('accepted'), set('failed'));
    await clock.advance(5 * minuteMs);
  }
  rateLimiter.dispose();
  session.dispose();
  const answered = exchange.answered.filter(({ at }) => at >= fellAt);
  return { refused: answered.filter(({ status }) => status === 429), presses };
}

describe('a limit that falls while nobody looks', () => {
  for (const [to, habits] of [
    [60, {}],
    [60, { retryAfter: '1' }],
    [120, { retryAfter: '20', hasFixedMinutes: true }],
  ] as const)
    it(`to ${to} is exceeded three times at most in three hours, ${JSON.stringify(habits)}`, async () => {
      const { refused, presses } = await simulateFall(to, habits);
      assert.ok(refused.length >= 1 && refused.length <= 3, `${refused.length} times 429`);
      const known = (refused[0]?.at ?? 0) + minuteMs;
      const outcomes = presses.filter(({ at }) => at > known).map(({ outcome }) => outcome);
      assert.ok(outcomes.length > 30);
      assert.deepEqual(new Set(outcomes), new Set(['accepted']));
    });
});
