import assert from 'node:assert/strict';
import { phrase } from '../../../../src/base/phrase.ts';
import { hourMs, minuteMs, secondMs } from '../../../../src/base/time.ts';
import type { Order, Position } from '../../../../src/exchange/records.ts';
import { anOrder } from '../../../support/builders.ts';
import {
  AlertWindow,
  at,
  unlisted,
  unreadable,
  watchedAccountOfEachTest,
} from '../../../support/watchedAccount.ts';

describe('alerts about vanished positions', () => {
  const account = watchedAccountOfEachTest();
  const { begin, pass } = account;

  const start = Date.UTC(2026, 0, 1);
  const btc = 'btc_usdt LIQUIDATED';
  const both = [at(20), at(20, { symbol: 'eth_usdt' })];
  const unread = { kind: 'liquidations', by: 'unread', symbols: ['btc_usdt'] };
  const liquidated = { ...unread, by: 'order' };
  const ofEth = { symbol: 'eth_usdt' };

  /** An order with the status LIQUIDATED, so long after the test began. */
  function liquidation(seconds = 5, fields: Partial<Order> = {}): Order {
    const time = String(start + seconds * secondMs);
    return anOrder({ status: 'LIQUIDATED', time, ...fields });
  }

  async function vanishAfter15s(before: Position[], after: Position[] = []): Promise<void> {
    account.window.seesPositions(...before);
    await pass(15 * secondMs);
    account.window.seesPositions(...after);
    await pass(0);
  }

  it('come after one read if an order since then has the status LIQUIDATED', async () => {
    account.world.orders = [liquidation()];
    await vanishAfter15s([at(20)]);
    assert.deepEqual(account.window.alerts, [liquidated]);
    await pass(hourMs);
    assert.deepEqual(account.world.requests, [btc]);
  });

  it('do not come for a position that was closed, after two reads', async () => {
    await vanishAfter15s([at(20)]);
    for (let polls = 0; polls < 100; polls += 1) {
      await pass(15 * secondMs);
      account.window.seesPositions();
    }
    assert.deepEqual(account.window.alerts, []);
    assert.deepEqual(account.world.requests, [btc, btc]);
  });

  it('come with the second read if the order is listed late or the first read fails', async () => {
    for (const failure of [undefined, new Error('no orders')]) {
      begin();
      account.world.failure = failure;
      await vanishAfter15s([at(20)]);
      account.world.failure = undefined;
      account.world.orders = [liquidation()];
      await pass(30 * secondMs - 1);
      assert.deepEqual(account.window.alerts, []);
      await pass(1);
      assert.deepEqual(account.window.alerts, [liquidated]);
      assert.equal(account.window.readErrors.length, failure ? 1 : 0);
    }
  });

  it('name only symbols with an order, and read only for the others again', async () => {
    account.world.orders = [liquidation(5, ofEth)];
    await vanishAfter15s(both);
    const ethAlert = { ...liquidated, symbols: ['eth_usdt'] };
    assert.deepEqual(account.window.alerts, [ethAlert]);
    account.world.orders = [liquidation(), liquidation(5, ofEth)];
    await pass(hourMs);
    assert.deepEqual(account.window.alerts, [ethAlert, liquidated]);
    assert.deepEqual(account.world.requests, ['all LIQUIDATED', btc]);
  });

  it('ignore older orders, other symbols and other statuses', async () => {
    account.world.orders = [
      liquidation(-31),
      liquidation(5, ofEth),
      liquidation(5, { status: 'OPEN' }),
    ];
    await vanishAfter15s([at(20)]);
    await pass(hourMs);
    assert.deepEqual(account.window.alerts, []);
  });

  it('compare the times of orders with the exchange’s clock', async () => {
    Object.assign(account.world.orderHistory, { clockAheadMs: -hourMs });
    account.world.orders = [liquidation(-3600)];
    await vanishAfter15s([at(20)]);
    assert.deepEqual(account.window.alerts, [liquidated]);
  });

  it('need no read for a flat position, a list that is unknown, smaller amounts, or a twin that stays', async () => {
    await vanishAfter15s([at(20, { amount: '0' })]);
    const twins = [at(20), at(30)];
    await vanishAfter15s(twins, [at(20, { amount: '0.1' }), at(30)]);
    account.window.sees({ positions: null }, unlisted);
    await pass(15 * secondMs);
    await vanishAfter15s(twins, twins);
    assert.deepEqual(account.world.requests, []);
    await vanishAfter15s(twins, [at(20)]);
    assert.equal(account.world.requests.length, 1);
  });

  it('look for each position that may be gone, if fewer records have no readable symbol', async () => {
    account.world.orders = [liquidation()];
    account.window.seesPositions(at(20), at(20, ofEth));
    await pass(15 * secondMs);
    account.window.sees({ positions: [] }, unreadable);
    await pass(0);
    assert.deepEqual(account.world.requests, ['all LIQUIDATED']);
    assert.deepEqual(account.window.alerts, [liquidated]);
  });

  it('take a new record without a readable symbol for the position that is missing', async () => {
    account.window.seesPositions(at(4));
    await pass(15 * secondMs);
    const shown = account.window.alerts.length;
    account.window.sees({ positions: [] }, unreadable);
    await pass(hourMs);
    account.window.sees({ positions: [] }, unreadable);
    await pass(hourMs);
    assert.deepEqual([account.world.requests, account.window.alerts.length], [[], shown]);
  });

  it('come once the positions are listed again, for one that vanished meanwhile', async () => {
    account.world.orders = [liquidation()];
    account.window.seesPositions(at(20));
    await pass(15 * secondMs);
    account.window.sees({ positions: null }, unlisted);
    await pass(15 * secondMs);
    assert.deepEqual(account.world.requests, []);
    account.window.seesPositions();
    await pass(0);
    assert.deepEqual(account.window.alerts, [liquidated]);
  });

  it('come for a position that turned into another direction or mode', async () => {
    for (const fields of [{ amount: '-1', liquidationPrice: '150' }, { marginMode: 'CROSS' }]) {
      begin();
      account.world.orders = [liquidation()];
      await vanishAfter15s([at(20)], [at(20, fields)]);
      assert.deepEqual(account.window.alerts, [liquidated]);
    }
    begin();
    account.world.orders = [liquidation()];
    await vanishAfter15s([at(20), at(20, { marginMode: 'CROSS' })]);
    assert.deepEqual(account.window.alerts, [liquidated], 'a symbol is named once');
  });

  it('come once for an order, even if another position vanishes soon after', async () => {
    account.world.orders = [liquidation()];
    for (const fields of [{}, { amount: '-1', liquidationPrice: '150' }]) {
      await vanishAfter15s([at(20)]);
      await vanishAfter15s([at(20, fields)]);
    }
    await pass(hourMs);
    assert.deepEqual(account.window.alerts, [liquidated]);
    const seconds = (account.world.clock.now() - start) / secondMs;
    account.world.orders = [...account.world.orders, liquidation(seconds + 5, { orderId: '2' })];
    await vanishAfter15s([at(20)]);
    assert.deepEqual(account.window.alerts, [liquidated, liquidated]);
  });

  describe('if the orders cannot be read completely', () => {
    const badRecords = [{ path: '$.content[0]', problem: phrase('broken') }];
    const ignoredFilters = [{ parameter: 'statuses', rows: 2 }];
    const rowsAt = (...seconds: number[]) =>
      seconds.map((each) => liquidation(each, { status: 'EXECUTED' }));

    it('say so after the second read failed', async () => {
      account.world.failure = new Error('no orders');
      await vanishAfter15s([at(20)]);
      await pass(30 * secondMs - 1);
      assert.deepEqual(account.window.alerts, []);
      await pass(hourMs);
      assert.deepEqual(account.window.alerts, [unread]);
      assert.deepEqual(account.window.readErrors, [account.world.failure, account.world.failure]);
    });

    it('say so if the second read was incomplete, whatever the first one was', async () => {
      for (const [first, second, alerts] of [
        [{ badRecords }, {}, []],
        [{}, { badRecords }, [unread]],
      ] as const) {
        begin();
        account.world.page = first;
        await vanishAfter15s([at(20)]);
        account.world.page = second;
        await pass(hourMs);
        assert.deepEqual(account.window.alerts, alerts);
      }
    });

    for (const [title, orders, totalElements, page, alerts] of [
      ['a record is unreadable', [], '0', { badRecords }, [unread]],
      ['the time of a row is unreadable', [liquidation(0, { time: '7' })], '1', {}, [unread]],
      ['there are more rows, oldest first', rowsAt(-31, 5), '500', { ignoredFilters }, [unread]],
      ['no row reaches back', rowsAt(9, 5), '500', { ignoredFilters }, [unread]],
      ['the order of one row is unknown', rowsAt(-60), '500', { ignoredFilters }, [unread]],
      ['the number of rows is unknown', rowsAt(9, 5), 'many', { ignoredFilters }, [unread]],
      ['a date may be misread', [], '0', { unproven: ['datesUndecided'] }, [unread]],
      ['there is no row at all', [], 'many', {}, []],
      ['newest rows first reach back', rowsAt(5, -31), '500', { ignoredFilters }, []],
      ['all rows are on the page', rowsAt(-31, 5), '2', { ignoredFilters }, []],
    ] as const)
      it(`${alerts.length > 0 ? 'say so' : 'trust the rows'} when ${title}`, async () => {
        Object.assign(account.world, { orders, totalElements, page });
        await vanishAfter15s([at(20)]);
        await pass(hourMs);
        assert.deepEqual(account.window.alerts, alerts);
        assert.equal(account.world.requests.length, 2);
      });
  });

  describe('while the account was not open', () => {
    /** The window closes with these positions, which are liquidated; another opens `afterMs` later. */
    async function reopen(afterMs: number, ...positions: Position[]): Promise<AlertWindow> {
      account.window.seesPositions(...positions);
      await pass(15 * secondMs);
      account.window.monitor.dispose();
      account.world.orders = [liquidation(15)];
      await pass(afterMs);
      return new AlertWindow(account.world);
    }

    it('come with the first snapshot within an hour', async () => {
      for (const [afterMs, alerts] of [
        [0, [liquidated]],
        [hourMs - 15 * secondMs, [liquidated]],
        [hourMs, []],
      ] as const) {
        begin();
        const reopened = await reopen(afterMs, at(20));
        reopened.seesPositions();
        await pass(0);
        assert.deepEqual(reopened.alerts, alerts);
      }
    });

    it('need no read when the position is still open, or was closed before', async () => {
      const reopened = await reopen(minuteMs, at(20));
      reopened.seesPositions(at(19));
      await pass(hourMs);
      assert.deepEqual(account.world.requests, []);
      reopened.seesPositions();
      await pass(hourMs);
      const { length } = account.world.requests;
      reopened.monitor.dispose();
      new AlertWindow(account.world).seesPositions();
      await pass(hourMs);
      assert.equal(account.world.requests.length, length);
    });

    it('come for a position that was seen only just before its window ended without closing', async () => {
      account.window.seesPositions(at(20, ofEth));
      await pass(15 * secondMs);
      account.window.seesPositions(at(20, ofEth), at(20));
      account.world.orders = [liquidation(15)];
      const next = new AlertWindow(account.world);
      next.seesPositions(at(20, ofEth));
      await pass(0);
      assert.deepEqual(next.alerts, [liquidated]);
    });

    it('wait for a snapshot whose positions are known', async () => {
      const reopened = await reopen(0, at(20));
      reopened.sees({ positions: null }, unlisted);
      await pass(15 * secondMs);
      assert.deepEqual(account.world.requests, []);
      reopened.seesPositions();
      await pass(0);
      assert.deepEqual(reopened.alerts, [liquidated]);
    });
  });

  it('stop with the account: no read and no alert after it was closed', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const read = account.world.read.bind(account.world);
    account.world.read = (request) => promise.then(() => read(request));
    account.world.orders = [liquidation()];
    await vanishAfter15s([at(20)]);
    account.window.monitor.dispose();
    resolve(undefined);
    await pass(hourMs);
    assert.deepEqual([account.window.alerts, account.window.readErrors], [[], []]);

    begin();
    await vanishAfter15s([at(20)]);
    account.window.monitor.dispose();
    await pass(hourMs);
    assert.deepEqual(
      [account.world.requests.length, account.window.alerts, account.window.readErrors],
      [1, [], []],
    );
  });

  it('are read by one of many windows, and by no other after it closes', async () => {
    for (const isClosed of [false, true]) {
      begin();
      const other = new AlertWindow(account.world);
      other.seesPositions(at(20));
      await vanishAfter15s([at(20)]);
      other.seesPositions();
      if (isClosed) account.window.monitor.dispose();
      await pass(hourMs);
      assert.equal(account.world.requests.length, isClosed ? 1 : 2);
      assert.deepEqual(other.alerts, []);
    }
  });

  it('read the orders again if the position reopens and disappears again', async () => {
    await vanishAfter15s([at(20)]);
    await pass(minuteMs);
    const seconds = (account.world.clock.now() - start) / secondMs;
    account.world.orders = [liquidation(seconds + 5)];
    await vanishAfter15s([at(20)]);
    assert.deepEqual(account.window.alerts, [liquidated]);
  });

  it('need no read when their setting is off, also between the two reads', async () => {
    account.world.off.add('liquidations');
    await vanishAfter15s([at(20)]);
    assert.deepEqual(account.world.requests, []);
    account.world.off.clear();
    await vanishAfter15s([at(20)]);
    account.world.off.add('liquidations');
    await pass(hourMs);
    assert.equal(account.world.requests.length, 1);
    assert.deepEqual(account.window.alerts, []);
  });
});
