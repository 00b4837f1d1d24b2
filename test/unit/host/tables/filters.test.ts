import assert from 'node:assert/strict';
import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { CachedRead } from '../../../../src/account/session/cachedRead.ts';
import type { ExchangeInformation } from '../../../../src/exchange/records.ts';
import { historyQuery } from '../../../../src/host/tables/exchangeRows.ts';
import { filterSuggestions } from '../../../../src/host/tables/describe.ts';
import { historyTables } from '../../../../src/host/tables/histories.ts';
import { anAccount } from '../../../support/builders.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

describe('the names that filters suggest', () => {
  const symbols = [
    { symbol: 'btc_usdt', marginAsset: 'usdt', quoteAsset: 'usdt' },
    { symbol: 'sol_eth', marginAsset: 'usdc', quoteAsset: 'eth' },
  ];

  /** A session whose first reads of exchange information fail; `reads` counts all of them. */
  function sessionWith(listed: readonly object[], { state = {}, failures = 0 } = {}) {
    const counter = { reads: 0 };
    const readInformation = () => {
      counter.reads += 1;
      return counter.reads > failures
        ? Promise.resolve({ symbols: listed } as unknown as ExchangeInformation)
        : Promise.reject(new Error('network'));
    };
    const exchangeInformation = new CachedRead(readInformation, new FakeClock());
    const session = { exchangeInformation, store: { state } } as unknown as AccountSession;
    return { session, counter };
  }

  it('are those of the account and of the exchange, each once', async () => {
    const state = { snapshot: { account: anAccount() } };
    const { session, counter } = sessionWith(symbols, { state });
    assert.deepEqual(await filterSuggestions(session), {
      symbols: ['btc_usdt', 'sol_eth'],
      assets: ['usdt', 'usdc', 'eth'],
    });
    await filterSuggestions(session);
    assert.equal(counter.reads, 1);
  });

  it('are not those that do not fit into a filter', async () => {
    const unfit = ['', 'x'.repeat(201)].map((name) => ({
      symbol: name,
      marginAsset: name,
      quoteAsset: 'usdt',
    }));
    const longest = { ...unfit[0], symbol: 'y'.repeat(200), marginAsset: 'usdt' };
    const { session } = sessionWith([...unfit, longest]);
    const { symbols, assets } = await filterSuggestions(session);
    assert.deepEqual([symbols, assets], [[longest.symbol], ['usdt']]);
  });

  it('are read again after a failure', async () => {
    const { session } = sessionWith(symbols, { failures: 1 });
    assert.deepEqual(await filterSuggestions(session), { symbols: [], assets: [] });
    assert.deepEqual((await filterSuggestions(session)).symbols, ['btc_usdt', 'sol_eth']);
  });
});

describe('the query of a history', () => {
  it('is refused with a filter that the history has not, which would find other rows', () => {
    assert.throws(() => historyQuery(historyTables().trades, { asset: 'usdt' }), {
      message: 'trades cannot be filtered by asset.',
    });
    assert.throws(() => historyQuery(historyTables().trades, { side: ['BUY', 'SELL'] }), /by side/);
    assert.deepEqual(historyQuery(historyTables().trades, { asset: '' }).request.filters, {});
    // @ts-expect-error No history has this parameter.
    assert.throws(() => historyQuery(historyTables().trades, { symbl: 'btc_usdt' }), /by symbl/);
  });
});
