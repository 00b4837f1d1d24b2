import assert from 'node:assert/strict';
import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { CachedRead } from '../../../../src/account/session/cachedRead.ts';
import type { ExchangeInformation } from '../../../../src/exchange/records.ts';
import { historyQuery } from '../../../../src/host/tables/exchangeRows.ts';
import { filterSuggestions } from '../../../../src/host/tables/describe.ts';
import { historyTables } from '../../../../src/host/tables/histories.ts';
import { reduce } from '../../../../src/pages/table/state/reducer.ts';
import { anAccount } from '../../../support/builders.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { aDisplay } from '../../../support/display.ts';
import { openState, pageOf, stateWithRows } from '../../pages/builders.ts';

describe('the period of the last days', () => {
  /** The half-open period of the request, as ISO instants to the second. */
  function periodOfDays(count: number, now: string, zoneName: string): string {
    const display = aDisplay({ timeZone: zoneName });
    const state = { ...stateWithRows(pageOf(20)), display };
    const action = { kind: 'periodChosen', days: count, now: Date.parse(now) } as const;
    const { query } = openState(reduce(state, action));
    const { from, to } = historyQuery(historyTables().trades, query.filters).period;
    return [from, to]
      .map((epochMs) => new Date(epochMs).toISOString().replace(/\.000Z$/, ''))
      .join(' ');
  }

  const cases: readonly [string, zone: string, now: string, starts: string, end: string][] = [
    [
      'in UTC',
      'UTC',
      '2026-01-15T10:30Z',
      '2026-01-15T00 2026-01-09T00 2025-12-17T00 2025-10-18T00',
      '2026-01-16T00:00:00',
    ],
    [
      'at UTC−8, with the end of summer time in the last 90',
      'America/Los_Angeles',
      '2026-01-15T10:30Z',
      '2026-01-15T08 2026-01-09T08 2025-12-17T08 2025-10-18T07',
      '2026-01-16T08:00:00',
    ],
    [
      'at UTC+14, where it is a day later',
      'Pacific/Kiritimati',
      '2026-01-15T10:30Z',
      '2026-01-15T10 2026-01-09T10 2025-12-17T10 2025-10-18T10',
      '2026-01-16T10:00:00',
    ],
    [
      'on a day of 23 hours',
      'Europe/Berlin',
      '2026-03-29T12:00Z',
      '2026-03-28T23 2026-03-22T23 2026-02-27T23 2025-12-29T23',
      '2026-03-29T22:00:00',
    ],
    [
      'on a day of 25 hours',
      'America/New_York',
      '2026-11-01T12:00Z',
      '2026-11-01T04 2026-10-26T04 2026-10-03T04 2026-08-04T04',
      '2026-11-02T05:00:00',
    ],
    [
      'if clocks go back at midnight',
      'Asia/Beirut',
      '2026-10-24T12:00Z',
      '2026-10-23T21 2026-10-17T21 2026-09-24T21 2026-07-26T21',
      '2026-10-24T22:00:00',
    ],
  ];
  for (const [when, zone, now, starts, end] of cases)
    it(`ends where tomorrow begins ${when}`, () => {
      const periods = [1, 7, 30, 90].map((count) => periodOfDays(count, now, zone));
      assert.deepEqual(
        periods,
        starts.split(' ').map((start) => `${start}:00:00 ${end}`),
      );
    });
});

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
    const { session } = sessionWith(unfit);
    assert.deepEqual(await filterSuggestions(session), { symbols: [], assets: ['usdt'] });
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
