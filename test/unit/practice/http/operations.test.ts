import assert from 'node:assert/strict';
import { ServerUnderTest, assertRejected, historyPath } from '../serverUnderTest.ts';

describe('the operations of the practice exchange', () => {
  let served: ServerUnderTest;

  before(async () => {
    served = await ServerUnderTest.start();
  });
  after(() => served.close());

  it('filters the order history by statuses, repeated or separated by commas', async () => {
    const names = ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'];
    const counts = [];
    for (const name of names) {
      const page = await served.rows(`page=0&size=500&statuses=${name}`);
      assert.ok(page.content.length > 0 && page.content.every(({ status }) => status === name));
      counts.push(page.totalElements);
    }
    const [partial = 0, , , liquidated = 0] = counts;
    for (const list of [
      'statuses=LIQUIDATED&statuses=PARTIALLY_EXECUTED',
      'statuses=LIQUIDATED,PARTIALLY_EXECUTED',
    ]) {
      assert.equal((await served.rows(`page=0&${list}`)).totalElements, partial + liquidated);
    }
    const sum = counts.reduce((total, count) => total + count);
    assert.equal((await served.rows('page=0')).totalElements, sum);
  });

  it('rejects a missing parameter, and one that it does not have', async () => {
    const transactions = '/api/v1/transactions/history';
    for (const [path, query, problem] of [
      [historyPath, '', /\bpage\b/],
      [transactions, '', /\baccountType\b.*required/],
      [transactions, 'accountType=MARGIN', /\baccountType\b/],
      ['/api/v1/accounts', 'symbol=btc_usdt', /\bsymbol\b/],
      ['/api/v1/tradingRules/leverage', 'tier=1', /\btier\b/],
      ['/api/v1/feeTiers/structure', 'tier=1', /\btier\b/],
    ] as const)
      await assertRejected(served.sendSigned(path, query), 400, problem);
  });
});
