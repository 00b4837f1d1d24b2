import assert from 'node:assert/strict';
import { total } from '../../../src/practice/cash.ts';
import { accountTypes, transactionTypes, type AccountType } from '../../../src/practice/entries.ts';
import { jsonText } from '../../../src/practice/json.ts';
import type { Transaction } from '../../../src/practice/transactions.ts';
import { Venue } from '../../../src/practice/venue.ts';
import { dayMs, movableClock, noon } from './movableClock.ts';

const since = noon - 90 * dayMs;

function openVenue(seed: number) {
  return new Venue({ seed, clock: movableClock(), weightLimit: 1000 });
}

function allOf(venue: Venue, accountType: AccountType, dateFrom?: number): Transaction[] {
  const filter = { accountType, dateFrom };
  const { totalPages } = venue.transactions(filter, 0, 500);
  return Array.from(
    { length: totalPages },
    (_, page) => venue.transactions(filter, page, 500).content,
  ).flat();
}

for (const seed of [0, 20_261_120]) {
  describe(`90 days of transactions, seed ${seed}`, () => {
    const venue = openVenue(seed);
    let of: Record<AccountType, Transaction[]>;
    before(() => {
      of = { SPOT: allOf(venue, 'SPOT', since), FUTURE: allOf(venue, 'FUTURE', since) };
    });

    it('are at least 3,000, of every type', () => {
      const all = [...of.SPOT, ...of.FUTURE];
      assert.ok(all.length >= 3000, String(all.length));
      assert.deepEqual(new Set(all.map(({ type }) => type)), new Set(transactionTypes));
    });

    it('have on-chain types in SPOT only, and those of trading in FUTURE only', () => {
      const typesOf = (accountType: AccountType) =>
        [...new Set(of[accountType].map(({ type }) => type))].sort();
      assert.deepEqual(
        typesOf('SPOT'),
        ['DEPOSIT', 'REWARD', 'TRANSFER_TO_FUTURE', 'TRANSFER_TO_SPOT', 'WITHDRAW'].sort(),
      );
      assert.deepEqual(
        typesOf('FUTURE'),
        transactionTypes.filter((type) => type !== 'DEPOSIT' && type !== 'WITHDRAW').toSorted(),
      );
    });

    it('have the sign of their type', () => {
      for (const { type, amount } of [...of.SPOT, ...of.FUTURE]) {
        if (type === 'DEPOSIT' || type === 'REWARD') assert.ok(amount.gt(0), type);
        if (type === 'WITHDRAW' || type === 'LIQUIDATION_FEE') assert.ok(amount.lt(0), type);
      }
      for (const { type, amount } of of.SPOT) {
        if (type === 'TRANSFER_TO_FUTURE') assert.ok(amount.lt(0));
        if (type === 'TRANSFER_TO_SPOT') assert.ok(amount.gt(0));
      }
    });

    it('are two of one UUID and nothing in sum where they are transfers, else one', () => {
      const groups = Map.groupBy([...of.SPOT, ...of.FUTURE], (one) => one.transactionUuid);
      for (const group of groups.values()) {
        const [first, second] = group;
        assert.match(first?.transactionUuid ?? '', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
        assert.equal(group.length, first?.type.startsWith('TRANSFER_') ? 2 : 1);
        if (!second) continue;
        assert.ok(total(group.map(({ amount }) => amount)).eq(0));
        assert.deepEqual(
          [second.type, second.asset, second.time, second.link],
          [first?.type, first?.asset, first?.time, first?.link],
        );
        assert.ok(of.SPOT.some(({ transactionId }) => transactionId === first?.transactionId));
        assert.ok(of.FUTURE.some(({ transactionId }) => transactionId === second.transactionId));
      }
    });

    it('link to an explorer', () => {
      const all = [...of.SPOT, ...of.FUTURE];
      for (const { link } of all)
        assert.match(link, /^https:\/\/explorer\.example\/transactions\/[\da-f]{64}$/);
      const links = new Set(all.map(({ link }) => link));
      assert.equal(links.size, new Set(all.map((one) => one.transactionUuid)).size);
    });

    it('have assets with 18 decimals', () => {
      assert.ok([...of.SPOT, ...of.FUTURE].every(({ amount }) => decimals(amount.toFixed()) <= 18));
      assert.ok(of.SPOT.some(({ amount }) => decimals(amount.toFixed()) === 18));
    });

    it('add up to the account, asset by asset', () => {
      const all = allOf(venue, 'FUTURE');
      for (const { name, deposited } of venue.account().assets) {
        const own = all.filter(({ asset }) => asset === name).map(({ amount }) => amount);
        assert.equal(total(own).toFixed(), deposited.toFixed(), name);
      }
    });
  }).timeout(30_000);
}

describe('transactions of a venue', () => {
  it('are the same from another venue of the same seed', () => {
    const [one, other] = [openVenue(5), openVenue(5)].map((venue) =>
      accountTypes.map((accountType) =>
        jsonText(venue.transactions({ accountType }, 2, 50).content),
      ),
    );
    assert.deepEqual(one, other);
    assert.ok(one?.every((text) => text.includes('transactionUuid')));
  });
}).timeout(30_000);

function decimals(text: string): number {
  return (text.split('.')[1] ?? '').length;
}
