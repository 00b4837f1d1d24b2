import assert from 'node:assert/strict';
import {
  AccountStore,
  tradingStateKey,
  type AccountState,
} from '../../../../src/account/session/accountStore.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import type { Account } from '../../../../src/exchange/records.ts';
import { anAccount, aPosition, someLocked } from '../../../support/builders.ts';

const snapshot = {
  account: anAccount(),
  badRecords: [],
  asOf: 1,
  readAt: 1,
  sentAt: 1,
  answeredAt: 1,
};
const error = new ExchangeError({ kind: 'network', sent: 'no', operation: 'accounts' });

describe('the account store', () => {
  it('is empty at first: no zero, no failure', () => {
    assert.deepEqual(new AccountStore().state, {});
  });

  it('keeps the last good snapshot after a failure, and clears the failure with the next snapshot', () => {
    const store = new AccountStore();
    const seen: AccountState[] = [];
    store.onDidChange(() => seen.push(store.state));
    store.replace(snapshot);
    store.fail(error);
    store.replace({ ...snapshot, asOf: 2 });
    const kept = {
      ...snapshot,
      directed: [{ position: aPosition(), direction: 'long', isProved: false }],
    };
    assert.deepEqual(seen, [
      { snapshot: kept },
      { snapshot: kept, failure: error },
      { snapshot: { ...kept, asOf: 2 } },
    ]);
    assert.equal(store.state, seen.at(-1));
  });

  it('reuses the previous list only if it is equal', () => {
    const store = new AccountStore();
    store.replace(snapshot);
    const before = store.state.snapshot?.account;
    store.replace({
      account: anAccount({ positions: [] }),
      badRecords: [],
      asOf: 2,
      readAt: 2,
      sentAt: 2,
      answeredAt: 2,
    });
    const now = store.state.snapshot?.account;
    assert.equal(now?.assets, before?.assets);
    assert.equal(now?.orders, before?.orders);
    assert.deepEqual(now?.positions, []);
  });

  it('marks a list as unknown rather than empty or unchanged', () => {
    const store = new AccountStore();
    store.replace(snapshot);
    store.replace({ ...snapshot, account: anAccount({ positions: null }) });
    assert.equal(store.state.snapshot?.account.positions, null);
  });

  it('compares no trading state while a list is unknown', () => {
    const keyOf = (fields: Partial<Account>) =>
      tradingStateKey({ ...snapshot, directed: [], account: anAccount(fields) });
    assert.equal(keyOf({ upl: null, assets: null }), keyOf({}));
    for (const fields of [
      { positions: null },
      { orders: null },
      { positions: [aPosition({ amount: null })] },
      { orders: [someLocked({ lockedBid: null })] },
    ])
      assert.equal(keyOf(fields), undefined);
  });
});
