import assert from 'node:assert/strict';
import { ExchangeConventions } from '../../../../src/exchange/history/exchangeConventions.ts';
import { aHistoryPage } from '../../../support/historyPage.ts';
import { clientKey, type ExchangeClient } from '../../../../src/exchange/client.ts';
import type { ApiConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { defaultConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { readRecentRows } from '../../../../src/host/overview/recentRows.ts';
import { historyTables } from '../../../../src/host/tables/histories.ts';
import { anAccount, anOrder, wire } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import {
  nothingRead,
  overviewOfAccount,
  readOnDemand,
} from '../../../support/overviewUnderTest.ts';
import { blocksOf } from '../../../support/shownDocument.ts';

const oneSecond = 1000;
const start = 1_700_000_000_000;
const ordersAt = (...seconds: number[]) =>
  seconds.map((second) =>
    anOrder({ orderId: String(second), time: String(start + second * oneSecond) }),
  );

/** A client whose history answers with these orders out of `total`. */
function clientWith(
  content: readonly object[],
  sort: ApiConventions['sort'],
  total: string | null,
): { client: ExchangeClient; requests: object[] } {
  const requests: object[] = [];
  const client = {
    conventions: new ExchangeConventions({ ...defaultConventions, sort }),
    serverNow: () => start,
    history: (request: object) => {
      requests.push(request);
      return Promise.resolve(aHistoryPage(content, { total }));
    },
  };
  return { client: client as unknown as ExchangeClient, requests };
}

async function read(
  content: readonly object[],
  sort: ApiConventions['sort'],
  total: string | null = null,
) {
  const { client, requests } = clientWith(content, sort, total);
  const { signal } = new AbortController();
  const rows = await readRecentRows(
    historyTables().orders,
    { [clientKey]: client, conventions: client.conventions },
    aDisplay(),
    signal,
  );
  return { rows, requests, ids: rows.items.map((item) => (item as { orderId: string }).orderId) };
}

describe('the last rows in the account overview', () => {
  it('are the newest five of one request, whatever the order of the answer', async () => {
    const { ids, requests } = await read(ordersAt(1, 2, 3, 7, 5, 6, 4), 'none');
    assert.deepEqual(ids, ['7', '6', '5', '4', '3']);
    assert.equal(requests.length, 1);
  });

  it('are known to be the newest only if the order or the count shows it', async () => {
    const some = ordersAt(3, 2, 1);
    const placeOf = async (...args: Parameters<typeof read>) => (await read(...args)).rows.place;
    assert.equal(await placeOf(some, 'newestFirst', '900'), 'newest');
    assert.equal(await placeOf(some, 'none', '3'), 'newest');
    assert.equal(await placeOf(some, 'none', '900'), 'unproven');
    assert.equal(await placeOf([], 'oldestFirst', null), 'unproven');
  });

  it('are none of an exchange that lists the oldest first, unless all rows fit in its answer', async () => {
    const some = ordersAt(1, 2, 3);
    const { rows, ids, requests } = await read(some, 'oldestFirst', '900');
    assert.deepEqual([ids, rows.place, requests.length], [[], 'oldest', 1]);
    const reads = { ...nothingRead, orders: readOnDemand(rows) };
    const { sections } = overviewOfAccount(wire(anAccount()), { reads });
    const section = sections.find(({ title }) => title === 'Last orders') ?? assert.fail();
    assert.match(
      section.notes.join(' '),
      /^Read at [\d:]+ UTC\. This API lists the oldest rows first/,
    );
    assert.doesNotMatch(section.notes.join(' '), /No rows/);
    assert.deepEqual(blocksOf({ sections: [section] }, 'table')[0]?.rows, []);
    assert.equal(section.buttons?.[0]?.action, 'openOrderHistory');
    assert.deepEqual((await read(some, 'oldestFirst', '3')).ids, ['3', '2', '1']);
  });
});
