import assert from 'node:assert/strict';
import { testHabits } from '../../support/habits.ts';
import { clientFor, ampleRateLimiter } from '../../support/exchangeClient.ts';
import { failureOf } from '../../support/failureOf.ts';
import { english } from '../../support/english.ts';
import { serversOfEachTest } from '../../support/hostileServer.ts';

const limit = { rateLimitType: 'HARD_LIMIT', interval: 'MINUTE', intervalNum: 1, limit: 120 };
const [name, count] = ['币安', 1000];

/** Exchange information of more than a megabyte: each symbol has lists that nobody here uses. */
function largeInfo(listLength = 100): string {
  const permissions = Array.from({ length: listLength }, (_, nth) => `TRD_GRP_${nth}`);
  const symbols = Array.from({ length: count }, (_, nth) => ({
    permissionSets: [permissions],
    filters: [{ filterType: '"symbols":[{', step: 0.01 }],
    ...{ symbol: `${name}${nth}_usdt`, marginAsset: 'usdt', baseAsset: `${name}${nth}` },
    ...{ pair: `${name}${nth}/USDT`, quoteAsset: 'usdt', status: 'TRADING' },
  }));
  return JSON.stringify({
    symbols,
    timezone: 'Asia/Tokyo',
    rateLimits: [limit],
    serverTime: 1795168800123,
  });
}

describe('large exchange information', () => {
  const serve = serversOfEachTest();

  async function clientOf(body: string) {
    const server = await serve((_request, response) => response.end(body));
    const rateLimiter = ampleRateLimiter();
    return { rateLimiter, client: clientFor(server, { rateLimiter }) };
  }

  testHabits('large exchange information', [
    {
      habit: 'exchange information of more values than another answer may have',
      source: 'Binance, 17 MB',
      sees: 'its limits, zone, time and every symbol',
      check: async () => {
        const { client, rateLimiter } = await clientOf(largeInfo(300));
        const { value, badRecords } = await client.exchangeInfo();
        assert.deepEqual([rateLimiter.usage.limit, badRecords], [120, []]);
        assert.deepEqual([value.timezone, value.serverTime], ['Asia/Tokyo', '1795168800123']);
        const { extra: _, ...last } = value.symbols.at(-1) ?? assert.fail();
        const id = `${name}${count - 1}`;
        assert.equal(value.symbols.length, count);
        assert.deepEqual(last, {
          ...{ symbol: `${id}_usdt`, marginAsset: 'usdt', baseAsset: id, pair: `${id}/USDT` },
          ...{ quoteAsset: 'usdt', status: 'TRADING' },
        });
      },
    },
    {
      habit: 'exchange information of more than 8 MB',
      source: 'sibling',
      sees: 'the same, as other answers may not be so large',
      check: async () => {
        const { client } = await clientOf(`${largeInfo()}${' '.repeat(9 * 1024 * 1024)}`);
        assert.equal((await client.exchangeInfo()).value.symbols.length, count);
        const account = await clientOf(`{}${' '.repeat(9 * 1024 * 1024)}`);
        assert.equal((await failureOf(account.client.accounts())).kind, 'tooLarge');
      },
    },
    {
      habit: 'exchange information that is cut, or a page of a gateway, of more than a megabyte',
      source: 'sibling',
      sees: 'what it is instead',
      check: async () => {
        const bodies = {
          'not JSON': largeInfo().slice(0, -200),
          'an HTML page': `<p>${largeInfo()}`,
        };
        for (const [what, body] of Object.entries(bodies)) {
          const { client } = await clientOf(body);
          const { kind, detail } = await failureOf(client.exchangeInfo());
          assert.equal(`${kind}: ${english(detail)}`, `malformed: the answer is ${what}`);
        }
      },
    },
  ]);
});
