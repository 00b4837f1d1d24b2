import assert from 'node:assert/strict';
import { JsonNumber } from '../../../src/base/exactJson.ts';
import { aTrade, aTransaction, anOrder, unknownFees } from '../../support/builders.ts';
import { aQuery, beginWalk, ledgersOfEachTest } from '../../support/ledgerUnderTest.ts';

const everything = { from: 0, to: 4e12 };

describe('a ledger', () => {
  const under = ledgersOfEachTest();

  it('returns records as they were stored, with what the API does not name', async () => {
    const client = under.open(under.ledgers.create());
    const walk = await beginWalk(client, 'orders');
    const extra = { note: 'a', fine: new JsonNumber('1.10'), nested: { extra: {} } };
    const records = [
      anOrder({ extra }),
      anOrder({ orderId: '2', price: null, time: '1763632800122' }),
    ];
    assert.deepEqual(await client.saveStep(walk.id, records, { page: 1 }), {
      added: 2,
      changed: 0,
    });
    assert.deepEqual(await client.recordsIn('orders', everything, 10), records);
    assert.deepEqual((await client.rows(aQuery('orders'), 0, 10)).rows, records);
  });

  it('returns the records of an interval, newest first', async () => {
    const client = under.open(under.ledgers.create());
    const walk = await beginWalk(client, 'trades');
    const at = (time: number) => aTrade({ tradeId: String(time), time: `${1763632800000 + time}` });
    await client.saveStep(walk.id, [at(3), at(1), at(2), at(4)], null);
    const interval = { from: 1763632800002, to: 1763632800004 };
    assert.deepEqual(await client.recordsIn('trades', interval, 10), [at(3), at(2)]);
    assert.deepEqual(await client.recordsIn('trades', interval, 1), [at(3)]);
  });

  it('continues a walk in another window after the first one closes', async () => {
    const id = under.ledgers.create();
    const first = under.open(id);
    const walk = await beginWalk(first, 'trades');
    await first.saveStep(walk.id, [aTrade()], { page: 7 });
    await first.pauseWalk(walk.id, true);
    await first.close();
    const second = under.open(id);
    assert.deepEqual(await second.unfinishedWalks(), [
      { ...walk, cursor: { page: 7 }, isPaused: true },
    ]);
    await second.endWalk(walk.id, { completeness: 'complete', reason: null });
    assert.deepEqual(await second.unfinishedWalks(), []);
    assert.deepEqual(await second.coverage('trades'), [
      { from: 0, to: 4e12, completeness: 'complete', reason: null, asOf: 4e12 },
    ]);
    assert.deepEqual(await second.coverage('orders'), []);
  });

  it('covers nothing with a walk that was dropped, and refuses steps of it', async () => {
    const client = under.open(under.ledgers.create());
    const walk = await beginWalk(client, 'trades');
    await client.saveStep(walk.id, [aTrade()], null);
    await client.dropWalk(walk.id);
    assert.deepEqual(await client.coverage('trades'), []);
    assert.equal((await client.rows(aQuery('trades'), 0, 1)).total, 1);
    await assert.rejects(client.saveStep(walk.id, [], null), { problem: 'unknownWalk' });
  });

  it('stores rows without a walk, and covers only the period that they prove', async () => {
    const client = under.open(under.ledgers.create());
    const { walks } = await client.versions();
    const one = aTrade({ tradeId: '1', time: '1' });
    await client.storeRows('trades', [one], 10);
    assert.deepEqual(await client.coverage('trades'), []);
    const two = aTrade({ tradeId: '2', time: '2' });
    const proved = { from: 1, to: 5, completeness: 'complete', reason: null } as const;
    const counts = await client.storeRows('trades', [{ ...one, amount: '7' }, two], 20, proved);
    assert.deepEqual(counts, { added: 1, changed: 1 });
    assert.deepEqual(await client.coverage('trades'), [{ ...proved, asOf: 20 }]);
    assert.deepEqual(await client.unfinishedWalks(), []);
    assert.equal((await client.versions()).walks, walks);
  });

  it('returns checkpoints of which a part lies in the interval', async () => {
    const client = under.open(under.ledgers.create());
    const checkpoint = (sentAt: number) => ({
      sentAt,
      answeredAt: sentAt + 10,
      clockErrorMs: 3,
      fees: unknownFees,
      assets: [{ name: 'usdt', deposited: '1.10', margin: '0', locked: '0' }],
      positions: null,
      equity: '1.10',
      upl: null,
    });
    for (const sentAt of [100, 200, 300]) await client.addCheckpoint(checkpoint(sentAt));
    assert.deepEqual(await client.checkpoints({ from: 110, to: 300 }), [
      checkpoint(100),
      checkpoint(200),
    ]);
  });

  it('says which records it has', async () => {
    const client = under.open(under.ledgers.create());
    const trades = await beginWalk(client, 'trades');
    const trade = aTrade({ tradeId: '7' });
    await client.saveStep(trades.id, [trade], null);
    const fees = await beginWalk(client, 'spotTransactions');
    const fee = aTransaction({ transactionId: '7' });
    await client.saveStep(fees.id, [fee], null);
    const others = [
      { tradeId: '8' },
      { tradeId: '7'.repeat(30) },
      { symbol: 'eth_usdt' },
      { time: '1763632800001' },
    ].map((each) => ({ ...trade, ...each }));
    const found = await client.areStored('trades', [trade, ...others]);
    assert.deepEqual(found, [true, false, false, false, false]);
    const otherFees = [{ type: 'REWARD' }, { transactionId: '8' }, { asset: 'btc' }];
    const sought = [fee, ...otherFees.map((each) => ({ ...fee, ...each }))];
    const foundFees = await client.areStored('spotTransactions', sought);
    assert.deepEqual(foundFees, [true, false, false, false]);
  });

  it('says that rows, walks or coverage changed, after each write and no read', async () => {
    const client = under.open(under.ledgers.create());
    let writes = 0;
    client.onDidWrite(() => (writes += 1));
    const begin = () => beginWalk(client, 'trades');
    const [first, second] = [await begin(), await begin()];
    const end = { completeness: 'complete', reason: null } as const;
    const changes = [
      () => client.pauseWalk(first.id, true),
      () => client.saveStep(first.id, [aTrade()], null),
      () => client.storeRows('trades', [aTrade()], 10),
      () => client.endWalk(first.id, end),
      () => client.dropWalk(second.id),
    ];
    assert.equal(writes, 2);
    for (const [index, change] of changes.entries()) {
      await change();
      assert.equal(writes, 3 + index, String(change));
    }
    for (const read of [() => client.coverage('trades'), () => client.unfinishedWalks()])
      await read();
    assert.equal(writes, 2 + changes.length);
  });
});
