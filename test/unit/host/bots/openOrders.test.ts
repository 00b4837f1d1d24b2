import assert from 'node:assert/strict';
import { AccountStore, type Snapshot } from '../../../../src/account/session/accountStore.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import type { LockedOrders } from '../../../../src/exchange/records.ts';
import { openOrdersText } from '../../../../src/host/bots/bots.ts';
import { anAccount, someLocked } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';

/** What is said after a read with these orders. */
function said(
  orders: readonly LockedOrders[] | null,
  badRecords: Snapshot['badRecords'] = [],
): Promise<string | undefined> {
  const times = { asOf: 0, readAt: 0, sentAt: 0, answeredAt: 0 };
  const read = new AccountStore().replace({ account: anAccount({ orders }), badRecords, ...times });
  return openOrdersText({ refresh: () => Promise.resolve(read) }, aDisplay());
}

describe('the open orders that a bot leaves', () => {
  const unknown = 'it is not known whether orders are open.';
  const broken = [{ path: '$.orders[0]', problem: phrase('broken') }];
  const flat = { lockedAsk: '0', sumSizeAsk: '0', lockedBid: '0', sumSizeBid: '0' };

  it('are named by their symbol, or counted by their symbols', async () => {
    assert.equal(await said([someLocked()]), 'orders of btc_usdt are open.');
    assert.equal(
      await said([someLocked(), someLocked({ symbol: 'eth_usdt' }), someLocked(flat)]),
      'orders of 2 symbols are open.',
    );
  });

  it('are none only if all of them could be read', async () => {
    assert.equal(await said([]), undefined);
    assert.equal(await said([someLocked(flat)]), undefined);
    assert.equal(await said([], broken), unknown);
    assert.equal(await said(null), unknown);
    assert.equal(
      await said([someLocked({ ...flat, sumSizeBid: null })]),
      'orders of btc_usdt are open.',
    );
  });

  it('are unknown if the account cannot be read', async () => {
    const failed = { refresh: () => Promise.reject(new Error('no network')) };
    assert.match((await openOrdersText(failed, aDisplay())) ?? '', /^it is not known .*open\. \S/);
  });
});
