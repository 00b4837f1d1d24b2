import assert from 'node:assert/strict';
import { always } from '../../../../src/base/interval.ts';
import { clientKey } from '../../../../src/exchange/client.ts';
import { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { createMemoryStore } from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../../../src/exchange/rateLimit/rateLimiter.ts';
import { aProfile } from '../../../support/builders.ts';
import { cancelAllOf, markedCredentials } from '../../../support/exchangeClient.ts';
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
};

/** Windows that read the account and download, while a person cancels all orders every five minutes. */
async function simulateFall(to: number, minutes: number, given: Habits) {
  const { downloads = 4, windows = 1, hidesLimit = false, ...habits } = given;
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
      const page = { operation: 'trades', filters: {}, period: always, page: 0, size: 20 } as const;
      const pause = () => new Promise<void>((resolve) => clock.after(5000, resolve));
      for (;;) await session[clientKey].history(page, { priority: 'bulk' }).catch(pause);
    };
    for (let nth = 0; nth < downloads; nth += 1) void download();
    return { rateLimiter, session };
  });
  const [{ session } = assert.fail()] = opened;
  await clock.advance(2 * minuteMs);
  limit = to;
  const fellAt = clock.now();
  await clock.advance(minuteMs / 2);
  const presses: { readonly at: number; outcome: string }[] = [];
  for (let minute = 0; minute < minutes; minute += 5) {
    const press = { at: clock.now(), outcome: 'open' };
    presses.push(press);
    const set = (outcome: string) => () => (press.outcome = outcome);
    cancelAllOf(session[clientKey]).then(set('accepted'), set('failed'));
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
  const shown = answered.find(
    ({ operation, status }) => operation === 'exchangeInfo' && status === 200,
  );
  return { answered, refused, outcomes, shownAt: shown?.at ?? Infinity };
}

/**
 * At most three refusals and one of a cancel-all, all before an answer showed the limit, and each accepted that is
 * confirmed an interval after the first.
 */
async function assertRecovers(to: number, minutes: number, habits: Habits): Promise<void> {
  const { refused, outcomes, shownAt } = await simulateFall(to, minutes, habits);
  const example = `to ${to}, ${JSON.stringify(habits)}`;
  const { reads = [], deletes = [] } = Object.groupBy(refused, ({ operation }) =>
    operation === 'cancelAll' ? 'deletes' : 'reads',
  );
  assert.ok(reads.length >= 1 && reads.length <= 3, `${reads.length} times 429 ${example}`);
  // It goes in the pause, once there is room by the limit that is assumed: a refusal does not tell the new one.
  assert.ok(deletes.length <= 1, `${deletes.length} DELETEs refused ${example}`);
  assert.ok(
    refused.every(({ at }) => at < shownAt),
    example,
  );
  assert.ok(outcomes.length >= minutes / 5 - 1, example);
  assert.deepEqual(new Set(outcomes), new Set(['accepted']), example);
}

describe('a limit that falls while nobody looks', () => {
  const falls = [10, 15, 30, 45, 300];
  for (const habits of [
    {},
    { retryAfter: '1' },
    { retryAfter: '300' },
    { retryAfter: '20', hasFixedMinutes: true },
    { windows: 3 },
  ] as const)
    it(`is exceeded three times at most, however low, ${JSON.stringify(habits)}`, async () => {
      for (const to of falls) await assertRecovers(to, 15, habits);
    });

  it('is exceeded no more often in three hours', () => assertRecovers(40, 180, {}));

  for (const habits of [{ downloads: 0 }, {}] as const)
    it(`lets cancel-alls go if exchange information cannot be read either, ${JSON.stringify(habits)}`, async () => {
      for (const to of [10, 20]) await assertRecovers(to, 30, { ...habits, hidesLimit: true });
    });

  it('is read before anything else that waits, and is tried again without holding up the rest', async () => {
    const { answered } = await simulateFall(40, 20, {});
    const after = answered.slice(answered.findIndex(({ status }) => status === 429) + 1);
    const reads = after.filter(({ operation }) => operation !== 'cancelAll');
    assert.equal(reads[0]?.operation, 'exchangeInfo');
    const hidden = (await simulateFall(40, 30, { hidesLimit: true })).answered;
    const late = hidden.filter(({ at }) => at >= (hidden.at(-1)?.at ?? 0) - 20 * minuteMs);
    const count = (name: string): number =>
      late.filter(({ operation }) => operation === name).length;
    assert.ok(count('accounts') >= 5 && count('exchangeInfo') >= 5, JSON.stringify(late));
  });
});
