import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { storedTableChoices } from '../../../../src/host/webview/tableChoices.ts';

const query = { filters: { side: 'SELL', statuses: ['EXECUTED'] }, page: 4, size: 50 };

/** Stores what a memento would, as `stored` has it at first. */
function mementoOf(stored: Record<string, unknown> = {}): Memento {
  const values = new Map(Object.entries(stored));
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key) as never,
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  };
}

describe('the query of a panel', () => {
  it('is the last one of that panel, until the panel is closed', async () => {
    const queries = storedTableChoices(mementoOf(), mementoOf()).query;
    await queries('orders').set(query);
    assert.deepEqual(queries('orders').get(), query);
    assert.equal(queries('orders/btc_usdt').get(), undefined);
    await queries('orders').set(undefined);
    assert.equal(queries('orders').get(), undefined);
  });

  it('is of its own window, and what was chosen for its table is of all', async () => {
    const [stored, ofWindow, ofOther] = [mementoOf(), mementoOf(), mementoOf()];
    const [own, other] = [ofWindow, ofOther].map((memory) => storedTableChoices(stored, memory));
    await own?.query('trades').set(query);
    await own?.pageSize('trades').set(500);
    const seen = ['trades', 'orders'].map((table) => other?.pageSize(table as 'trades').get());
    assert.deepEqual([other?.query('trades').get(), ...seen], [undefined, 500, 100]);
  });

  it('is none if what is stored is invalid', () => {
    const invalid = [
      ...[null, 'text', 7, [], {}],
      { ...query, page: -1 },
      { ...query, page: 1.5 },
      { ...query, page: '4' },
      { ...query, size: 0 },
      { ...query, size: 1e9 },
      { ...query, filters: { side: 7 } },
      { ...query, rows: [['1']] },
      { ...query, part: { to: -1, isLatest: false } },
      { ...query, part: { to: 1000 } },
      { ...query, ledger: { search: 7, sort: null } },
      { page: 4, size: 50 },
    ];
    for (const stored of invalid) {
      const queries = storedTableChoices(
        mementoOf(),
        mementoOf({ 'marginDesk.query.orders': stored }),
      ).query;
      assert.equal(queries('orders').get(), undefined, JSON.stringify(stored));
    }
  });
});
