import assert from 'node:assert/strict';
import { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { createMemoryStore } from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../../../src/exchange/rateLimit/rateLimiter.ts';
import { aProfile } from '../../../support/builders.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { limitedExchange } from '../../../support/limitedExchange.ts';

const minutes = 180;

/** A window that reads its account and downloads, while a person cancels all orders now and then. */
async function threeHoursAfterFall(to: number, exchangeOptions: object, pressEveryMinutes: number) {
  const clock = new FakeClock();
  let limit = 1000;
  const exchange = limitedExchange({ clock, limit: () => limit, ...exchangeOptions });
  const rateLimiter = new RateLimiter({ store: createMemoryStore(), clock, share: () => 0.5 });
  const session = new AccountSession({
    profile: aProfile(),
    credentials: { apiKey: 'key', apiSecret: 'secret' },
    fetch: exchange.fetch,
    clock,
    rateLimiter,
  });
  session.refresher.setIntervalMs(15_000);
  let isOver = false;
  const download = async (): Promise<void> => {
    const page = { operation: 'trades', filters: {}, page: 0, size: 20 } as const;
    const pause = () => new Promise<void>((resolve) => clock.after(1000, resolve));
    while (!isOver) await session.client.history(page, { priority: 'bulk' }).catch(pause);
  };
  for (let nth = 0; nth < 4; nth += 1) void download();
  await clock.advance(10 * 60_000);
  limit = to;
  const fellAt = clock.now();
  const presses: { at: number; isAccepted: boolean }[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    await clock.advance(60_000);
    if (minute % pressEveryMinutes !== 0) continue;
    const press = { at: clock.now(), isAccepted: false };
    presses.push(press);
    void session.client.cancelAll().then(
      () => (press.isAccepted = true),
      () => undefined,
    );
  }
  await clock.advance(5000);
  isOver = true;
  rateLimiter.dispose();
  session.dispose();
  const refused = exchange.answered.filter(({ status, at }) => status === 429 && at >= fellAt);
  const pages = exchange.answered.filter(
    ({ status, operation, at }) => status === 200 && operation === 'trades' && at >= fellAt,
  );
  return { refused, presses, pages: pages.length };
}

describe('a limit that falls while nobody looks', () => {
  for (const to of [60, 100, 120, 300])
    for (const retryAfter of [undefined, '1', '60', '20'])
      for (const hasFixedMinutes of [false, true])
        for (const countsRefused of [true, false])
          it(`to ${to} ${retryAfter} ${hasFixedMinutes} ${countsRefused}`, async () => {
            const { refused, presses, pages } = await threeHoursAfterFall(
              to,
              { retryAfter, hasFixedMinutes, countsRefused },
              1,
            );
            const [first] = refused;
            const late = presses.filter(({ at }) => at > (first?.at ?? 0) + 60_000);
            const failed = late.filter(({ isAccepted }) => !isAccepted);
            console.log(
              to,
              retryAfter,
              hasFixedMinutes,
              countsRefused,
              refused.length,
              late.length,
              failed.length,
              pages,
            );
            assert.ok(refused.length >= 1);
          });
});
