import assert from 'node:assert/strict';
import { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { createMemoryStore } from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../../../src/exchange/rateLimit/rateLimiter.ts';
import { aProfile } from '../../../support/builders.ts';
import { markedCredentials } from '../../../support/exchangeClient.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { limitedExchange } from '../../../support/limitedExchange.ts';

const minuteMs = 60_000;

type Habits = {
  readonly retryAfter?: string;
  readonly hasFixedMinutes?: boolean;
  /** Whether exchange information cannot be read once the limit has fallen. */
  readonly hidesLimit?: boolean;
  readonly downloads?: number;
  readonly windows?: number;
  readonly seconds?: number;
};

/** Windows that read the account and download, while a person cancels all orders every five minutes. */
async function simulateFall(to: number, minutes: number, given: Habits) {
  const { downloads = 4, windows = 1, seconds = 30, hidesLimit = false, ...habits } = given;
  const clock = new FakeClock();
  let limit = 1000;
  const isHidden = (): boolean => hidesLimit && limit === to;
  const exchange = limitedExchange({ clock, limit: () => limit, isHidden, ...habits });
  const store = createMemoryStore();
  const opened = Array.from({ length: windows }, () => {
    const rateLimiter = new RateLimiter({ store, clock, share: () => 0.5 });
    const { fetch } = exchange;
    const credentials = markedCredentials;
    const profile = aProfile();
    const session = new AccountSession({ profile, credentials, fetch, clock, rateLimiter });
    session.refresher.setIntervalMs(15_000);
    const download = async (): Promise<void> => {
      const page = { operation: 'trades', filters: {}, page: 0, size: 20 } as const;
      const pause = () => new Promise<void>((resolve) => clock.after(5000, resolve));
      for (;;) await session.client.history(page, { priority: 'bulk' }).catch(pause);
    };
    for (let nth = 0; nth < downloads; nth += 1) void download();
    return { rateLimiter, session };
  });
  const [{ session } = assert.fail()] = opened;
  await clock.advance(2 * minuteMs);
  limit = to;
  const fellAt = clock.now();
  await clock.advance(seconds * 1000);
  const presses: { readonly at: number; outcome: string }[] = [];
  for (let minute = 0; minute < minutes; minute += 5) {
    const press = { at: clock.now(), outcome: 'open' };
    presses.push(press);
    const set = (outcome: string) => () => (press.outcome = outcome);
    session.client.cancelAll().then(set('accepted'), set('failed'));
    await clock.advance(5 * minuteMs);
  }
  for (const one of opened) {
    one.rateLimiter.dispose();
    one.session.dispose();
  }
  const answered = exchange.answered.filter(({ at }) => at >= fellAt);
  const refused = answered.filter(({ status }) => status === 429);
  const known = (refused[0]?.at ?? Number.NaN) + minuteMs;
  const outcomes = presses.filter(({ at }) => at > known).map(({ outcome }) => outcome);
  return { answered, refused, outcomes };
}
for (const [to, minutes, h] of JSON.parse(process.env.F1 ?? '[]'))
  it(`${to} ${JSON.stringify(h)}`, async () => {
    const { answered, refused, outcomes } = await simulateFall(to, minutes, h);
    console.log(to, JSON.stringify(h), refused.length, refused.slice(0,9).map((r) => (r.operation[0] ?? "")+(Math.round(r.at/1000%10000))).join(), outcomes.length, outcomes.filter(o => o !== 'accepted').length, 'ok', answered.filter(a=>a.status===200 && a.operation==='accounts').length, answered.filter(a=>a.status===500).length);
  });
