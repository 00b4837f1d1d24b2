import assert from 'node:assert/strict';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import type { FeeTier } from '../../../../src/exchange/records.ts';
import { AccountChanges, type AccountRead } from '../../../../src/ledger/sync/accountChanges.ts';
import { Checkpoints } from '../../../../src/ledger/sync/checkpoints.ts';
import { anAccount, aPosition, someLocked } from '../../../support/builders.ts';
import { FileLedger } from '../../../support/fileLedger.ts';

const start = Date.UTC(2026, 10, 20);
const [asset] = anAccount().assets ?? [];

function read(
  fields: Parameters<typeof anAccount>[0] = {},
  { at = start, badRecords = [] }: { at?: number; badRecords?: AccountRead['badRecords'] } = {},
): AccountRead {
  return { account: anAccount(fields), badRecords, sentAt: at - 200, answeredAt: at };
}

const moved = {
  positions: [
    aPosition({ markPrice: '61000', upl: '9', uplPercentage: '1', liquidationPrice: '7' }),
  ],
  equity: '12500',
  upl: '9',
};
const deposited = asset ? { assets: [{ ...asset, deposited: '12001' }] } : {};
const badAsset = [{ path: '$.assets[1].name', problem: phrase('bad') }];

describe('a change of the account', () => {
  const change = (...reads: readonly AccountRead[]) => {
    const changes = new AccountChanges();
    return reads.map((one) => changes.take(one)).at(-1);
  };
  const isChanged = (fields: Parameters<typeof anAccount>[0]) =>
    change(read(), read(fields))?.isChanged;

  it('is the first read, a balance, an amount, or what orders lock', () => {
    assert.equal(change(read())?.isChanged, true);
    assert.equal(isChanged({}), false);
    assert.equal(isChanged(deposited), true);
    assert.equal(isChanged({ positions: [aPosition({ amount: '0.3' })] }), true);
    assert.equal(isChanged({ orders: [someLocked({ lockedBid: '99' })] }), true);
    assert.equal(isChanged({ positions: [] }), true);
  });

  it('is not what follows from mark prices, nor what could not be read', () => {
    assert.equal(isChanged(moved), false);
    assert.equal(isChanged({ positions: null, assets: null, orders: null }), false);
    const lost = read({ assets: [] }, { badRecords: badAsset });
    assert.equal(change(read(), lost)?.isChanged, false);
    assert.equal(change(read(), lost, read())?.isChanged, false);
    assert.equal(change(read(), lost, read(deposited))?.isChanged, true);
    const empty = someLocked({ symbol: 'eth_usdt', lockedBid: '0', sumSizeBid: '0' });
    assert.equal(isChanged({ orders: [someLocked(), empty] }), false);
  });

  it('says that open orders became less, by their size', () => {
    const hasFallen = (orders: ReturnType<typeof someLocked>[]) =>
      change(read(), read({ orders }))?.hasLockFallen;
    assert.equal(hasFallen([]), true);
    assert.equal(hasFallen([someLocked({ sumSizeBid: '1.9' })]), true);
    const [ask, less] = ['1', '0.9'].map((sumSizeAsk) =>
      read({ orders: [someLocked({ sumSizeAsk })] }),
    );
    assert.equal(ask && less && change(ask, less)?.hasLockFallen, true);
    assert.equal(hasFallen([someLocked({ lockedBid: '50' })]), false);
    assert.equal(hasFallen([someLocked({ sumSizeBid: '3' })]), false);
    assert.equal(change(read())?.hasLockFallen, false);
  });
});

describe('the checkpoints of a ledger', () => {
  let ledger: FileLedger;
  let checkpoints: Checkpoints;
  /** What is known of the exchange's time, and what it says of it when it is asked. */
  let steadyClock: { aheadMs: number; errorMs: number };
  let askedClock: typeof steadyClock;
  let feeTiers: readonly FeeTier[] | undefined;

  beforeEach(() => {
    ledger = new FileLedger();
    steadyClock = { aheadMs: 5000.5, errorMs: 99.1 };
    askedClock = steadyClock;
    feeTiers = undefined;
    const client = {
      get steadyClock() {
        return steadyClock;
      },
      renewTime: () => Promise.resolve(void (steadyClock = askedClock)),
    };
    checkpoints = new Checkpoints({ client, writer: ledger, feeTiers: () => feeTiers });
  });

  it('have the exchange’s times of request and answer, and what could be wrong about them', async () => {
    await checkpoints.take(read());
    assert.deepEqual(ledger.storedCheckpoints(), [
      {
        sentAt: start - 200 + 5000,
        answeredAt: start + 5001,
        clockErrorMs: 100,
        assets: [{ name: 'usdt', deposited: '12000', margin: '10000', locked: '100' }],
        positions: [
          { symbol: 'btc_usdt', marginMode: 'ISOLATED', amount: '0.25', basePrice: '50000' },
        ],
        equity: '12012.5',
        upl: '12.5',
        fees: { tier: '1', discount: '0', rates: null },
      },
    ]);
  });

  it('have the rates of the account’s tier once the fee table was read, and the table when it changed', async () => {
    const fees = async (after: number, fields: Parameters<typeof anAccount>[0] = {}) => {
      await checkpoints.take(read(fields, { at: start + after }));
      return ledger
        .storedCheckpoints()
        .map((each) => each.fees)
        .slice(1);
    };
    const tiers = ['0', '1'].map((tier) => ({
      tier,
      maker: `-0.000${tier}`,
      taker: '0.0005',
      volume30D: '7',
      extra: {},
    }));
    const table = tiers.map(({ tier, maker, taker }) => ({ tier, maker, taker }));
    const [ofTier0, ofTier1] = table;
    const noDiscount = { discount: '0' };
    await fees(0);
    feeTiers = tiers;
    const stored = [{ ...noDiscount, tier: '1', rates: ofTier1, table }];
    assert.deepEqual(await fees(1), stored);
    assert.deepEqual(await fees(2), stored);
    const next: object = { ...noDiscount, tier: '0', rates: ofTier0 };
    assert.deepEqual(await fees(3, { feeTierStructure: '0' }), [...stored, next]);
    const discounted: object = { tier: '7', discount: '5', rates: null };
    assert.deepEqual(await fees(4, { feeTierStructure: '7', feeTierDiscount: '5' }), [
      ...[...stored, next, discounted],
    ]);
  });

  it('are stored at each change, and with the equity alone once a minute', async () => {
    const seconds = async (after: number, fields: Parameters<typeof anAccount>[0]) => {
      await checkpoints.take(read(fields, { at: start + after * 1000 }));
      return ledger.storedCheckpoints().length;
    };
    assert.equal(await seconds(0, {}), 1);
    assert.equal(await seconds(15, moved), 1);
    assert.equal(await seconds(30, { ...moved, ...deposited }), 2);
    assert.equal(await seconds(45, { equity: '1', ...deposited }), 2);
    assert.equal(await seconds(90, { equity: '1', ...deposited }), 3);
    assert.equal(await seconds(900, { equity: '1', ...deposited }), 3);
    const more = { equity: '1', ...deposited, positions: [aPosition({ amount: '0.3' })] };
    assert.equal(await seconds(901, more), 4);
    assert.equal(await seconds(902, { ...more, feeTierDiscount: '5' }), 5);
  });

  it('have no list that could not be read as a whole', async () => {
    await checkpoints.take(read({ positions: null }, { badRecords: badAsset }));
    const [checkpoint] = ledger.storedCheckpoints();
    assert.deepEqual([checkpoint?.assets, checkpoint?.positions], [null, null]);
    await checkpoints.take(read({}, { at: start + 1 }));
    assert.equal(ledger.storedCheckpoints().length, 2);
    await checkpoints.take(read({ positions: null }, { at: start + minuteMs / 2 }));
    assert.equal(ledger.storedCheckpoints().length, 2);
  });

  it('are not stored before the exchange’s time is known', async () => {
    askedClock = { aheadMs: 0, errorMs: Infinity };
    await checkpoints.take(read());
    assert.equal(ledger.storedCheckpoints().length, 0);
    askedClock = { aheadMs: 0, errorMs: 500 };
    await checkpoints.take(read());
    assert.equal(ledger.storedCheckpoints().length, 1);
  });

  it('have the time that the exchange says, if it may have become another', async () => {
    askedClock = { aheadMs: hourMs, errorMs: 500 };
    await checkpoints.take(read());
    assert.equal(ledger.storedCheckpoints()[0]?.answeredAt, start + hourMs);
  });

  it('are stored with the next read if the ledger could not store, with the fee table', async () => {
    feeTiers = [{ tier: '1', maker: '0', taker: '0.0005', volume30D: '7', extra: {} }];
    ledger.beforeCall = () => {
      throw new Error('The disk is full.');
    };
    await assert.rejects(checkpoints.take(read()), { message: 'The disk is full.' });
    ledger.beforeCall = () => undefined;
    await checkpoints.take(read());
    assert.deepEqual(
      ledger.storedCheckpoints().map(({ fees }) => fees.table?.length),
      [1],
    );
  });
});
