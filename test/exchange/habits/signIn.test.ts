import assert from 'node:assert/strict';
import { clientKey } from '../../../src/exchange/client.ts';
import { AccountSession } from '../../../src/account/session/accountSession.ts';
import { LearnedConventionsByProfile } from '../../../src/account/session/learnedConventionsStore.ts';
import type { ValueStorage } from '../../../src/base/storedValue.ts';
import { minuteMs, systemClock, type Clock } from '../../../src/base/time.ts';
import { defaultHmacQuery } from '../../../src/exchange/auth/scheme.ts';
import { fetchers } from '../../../src/exchange/http/fetch.ts';
import { defaultSignedOperations } from '../../../src/api/operations.ts';
import { anAccount, aProfile, wire } from '../../support/builders.ts';
import { cancelAllOf, ampleRateLimiter, markedCredentials } from '../../support/exchangeClient.ts';
import { failureOf } from '../../support/failureOf.ts';
import { testHabits, type Habit } from '../../support/habits.ts';
import { hostileServer, type HostileServer } from '../../support/hostileServer.ts';
import type { Credentials } from '../../../src/exchange/auth/credentials.ts';

const aheadMs = 90_000;
const information = '/api/v1/system/exchangeInfo';
const accounts = '/api/v1/accounts';
const cancelAll = '/api/v1/orders/all';

type Exchange = HostileServer & {
  aheadMs: number;
  hasServerTime: boolean;
  /** How far `serverTime`, and `Date`, differ from the time that it accepts. */
  serverTimeByMs: number;
  dateByMs: number;
  knowsKey: boolean;
};

/** Calls every signature with another time than its own, give or take 5 s, only invalid. */
async function withExchange(check: (exchange: Exchange) => Promise<void>): Promise<void> {
  const state = { aheadMs, hasServerTime: true, serverTimeByMs: 0, dateByMs: 0, knowsKey: true };
  const server = await hostileServer(({ url = '' }, response) => {
    const now = Date.now() + state.aheadMs;
    response.setHeader('date', new Date(now + state.dateByMs).toUTCString());
    const { pathname, searchParams } = new URL(url, 'http://host');
    const serverTime = state.hasServerTime ? `"serverTime":${now + state.serverTimeByMs},` : '';
    if (pathname === information)
      return response.end(`{${serverTime}"symbols":[],"rateLimits":[],"timezone":"UTC"}`);
    const isTimely = Math.abs(Number(searchParams.get('timestamp')) - now) <= 5000;
    if (!isTimely || !state.knowsKey)
      return response.writeHead(401).end('{"code":40001,"message":"Invalid signature"}');
    return response.end(pathname === cancelAll ? '[]' : wire(anAccount()));
  });
  try {
    await check(Object.assign(state, server));
  } finally {
    await server.close();
  }
}

function storageInMemory(): ValueStorage {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    update: (key, value) => {
      values.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
}

/** Opens sessions of the same account, as after Edit Profile; another window has the same storage. */
function windowOf({ url }: Exchange, storage = storageInMemory(), clock: Clock = systemClock) {
  const learned = new LearnedConventionsByProfile({ storage, clock, onProblem: assert.ifError });
  const profile = aProfile({
    environment: 'live',
    baseUrl: url,
    auth: defaultHmacQuery,
    sign: defaultSignedOperations,
  });
  return (credentials: Credentials = markedCredentials) =>
    new AccountSession({
      profile,
      credentials,
      fetch: fetchers['node-fetch'],
      clock,
      rateLimiter: ampleRateLimiter(),
      learnedConventions: learned.forProfile(profile),
      serverClock: learned.serverClockOf(profile, credentials),
    });
}

const pathsOf = ({ requests }: Exchange) => requests.map(({ path }) => path.split('?')[0]);

function row(habit: string, sees: string, check: (exchange: Exchange) => Promise<void>): Habit {
  return { habit, sees, source: 'a day of trading', check: () => withExchange(check) };
}

testHabits('a clock that is 90 s ahead, and refusals that do not mention the time', [
  row('the first read is refused', 'the account, signed with its time', async (exchange) => {
    await windowOf(exchange)()[clientKey].accounts();
    assert.deepEqual(pathsOf(exchange), [accounts, information, accounts]);
  }),
  row('two reads are refused at once', 'both, after one look at its time', async (exchange) => {
    const { [clientKey]: client } = windowOf(exchange)();
    await Promise.all([client.accounts(), client.accounts()]);
    assert.equal(pathsOf(exchange).filter((path) => path === information).length, 1);
  }),
  row('a test learned its time', 'every session at once, no refusal', async (exchange) => {
    const open = windowOf(exchange);
    const openedBefore = open();
    await open()[clientKey].exchangeInfo();
    await openedBefore[clientKey].accounts();
    await cancelAllOf(open()[clientKey]);
    assert.deepEqual(pathsOf(exchange), [information, accounts, cancelAll]);
  }),
  row('a reload', 'the account and cancel-all without a refusal', async (exchange) => {
    const storage = storageInMemory();
    await windowOf(exchange, storage)()[clientKey].accounts();
    const { [clientKey]: client } = windowOf(exchange, storage)();
    await cancelAllOf(client);
    await client.accounts();
    assert.deepEqual(pathsOf(exchange).slice(3), [cancelAll, accounts]);
  }),
  row(
    'this machine’s clock was set right before the reload',
    'the first press',
    async (exchange) => {
      const storage = storageInMemory();
      await windowOf(exchange, storage)()[clientKey].accounts();
      const corrected = { ...systemClock, now: () => Date.now() + aheadMs };
      await cancelAllOf(windowOf(exchange, storage, corrected)()[clientKey]);
      assert.equal(pathsOf(exchange).at(-1), cancelAll);
    },
  ),
  row('its own clock was set right before the reload', 'the first read', async (exchange) => {
    const storage = storageInMemory();
    await windowOf(exchange, storage)()[clientKey].accounts();
    exchange.aheadMs = 0;
    await windowOf(exchange, storage)()[clientKey].accounts();
  }),
  row('a wrong key', 'the refusal; its time is read once in ten minutes', async (exchange) => {
    exchange.knowsKey = false;
    let passedMs = 0;
    const clock: Clock = {
      ...systemClock,
      now: () => Date.now() + aheadMs + passedMs,
      steadyNow: () => performance.now() + passedMs,
    };
    const open = windowOf(exchange, storageInMemory(), clock);
    for (let read = 1; read <= 4; read += 1)
      assert.equal((await failureOf(open()[clientKey].accounts())).kind, 'auth');
    assert.deepEqual(pathsOf(exchange), [accounts, information, accounts, accounts, accounts]);
    passedMs = 10 * minuteMs;
    exchange.aheadMs += passedMs;
    assert.equal((await failureOf(open()[clientKey].accounts())).kind, 'auth');
    assert.deepEqual(pathsOf(exchange).slice(5), [accounts, information]);
  }),
  row('other credentials', 'the account, with a look of their own', async (exchange) => {
    exchange.knowsKey = false;
    const open = windowOf(exchange);
    await failureOf(open()[clientKey].accounts());
    exchange.knowsKey = true;
    exchange.aheadMs = -aheadMs;
    await open({ ...markedCredentials, apiKey: 'another-key' })[clientKey].accounts();
  }),
  row('the DELETE comes first', 'one DELETE, and the next press is accepted', async (exchange) => {
    const { [clientKey]: client } = windowOf(exchange)();
    assert.equal((await failureOf(cancelAllOf(client))).kind, 'auth');
    assert.deepEqual(pathsOf(exchange), [cancelAll]);
    await cancelAllOf(client);
  }),
  row(
    'an outdated serverTime was read',
    'the account, signed with Date, from then on',
    (exchange) =>
      withOutdatedTime(exchange, async ({ [clientKey]: client }) => {
        await client.accounts();
        assert.deepEqual(pathsOf(exchange), [
          accounts,
          information,
          accounts,
          information,
          accounts,
        ]);
        await client.exchangeInfo();
        await client.accounts();
        await cancelAllOf(client);
        assert.deepEqual(pathsOf(exchange).slice(5), [information, accounts, cancelAll]);
      }),
  ),
  row('the DELETE comes after it', 'one DELETE, and the next press is accepted', (exchange) =>
    withOutdatedTime(exchange, async ({ [clientKey]: client }) => {
      assert.equal((await failureOf(cancelAllOf(client))).kind, 'auth');
      assert.deepEqual(pathsOf(exchange).slice(2), [cancelAll]);
      await cancelAllOf(client);
    }),
  ),
  row('a reload after Date was used', 'the first press', (exchange) =>
    withOutdatedTime(exchange, async ({ [clientKey]: client }, reload) => {
      await client.accounts();
      await cancelAllOf(reload()[clientKey]);
    }),
  ),
  row('a passing refusal, and Date is wrong', 'the account at the next read', async (exchange) => {
    const { [clientKey]: client } = windowOf(exchange)();
    await client.exchangeInfo();
    exchange.dateByMs = -60_000;
    exchange.knowsKey = false;
    assert.equal((await failureOf(client.accounts())).kind, 'auth');
    exchange.knowsKey = true;
    await client.accounts();
    await cancelAllOf(client);
  }),
  row('a wrong key, and Date is wrong', 'two requests more in ten minutes', async (exchange) => {
    const { [clientKey]: client } = windowOf(exchange)();
    await client.exchangeInfo();
    exchange.dateByMs = -60_000;
    exchange.knowsKey = false;
    for (let read = 1; read <= 3; read += 1) await failureOf(client.accounts());
    const [, ...paths] = pathsOf(exchange);
    assert.deepEqual(paths, [accounts, information, accounts, accounts, accounts]);
  }),
]);

/** A session that read the account, and then a `serverTime` that is an hour old. */
async function withOutdatedTime(
  exchange: Exchange,
  check: (session: AccountSession, reload: () => AccountSession) => Promise<void>,
): Promise<void> {
  exchange.aheadMs = 0;
  exchange.serverTimeByMs = -60 * minuteMs;
  const storage = storageInMemory();
  const session = windowOf(exchange, storage)();
  await session[clientKey].accounts();
  await session[clientKey].exchangeInfo();
  await check(session, windowOf(exchange, storage));
}
