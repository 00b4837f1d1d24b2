import assert from 'node:assert/strict';
import path from 'node:path';
import { hourMs, secondMs } from '../../../../src/base/time.ts';
import type { AssetNumbers } from '../../../../src/ledger/analysis/analysis.ts';
import { analysisOf, writeLedger, type LedgerContent } from '../../../support/analysedLedger.ts';
import { takersPay } from '../../../support/auditedFees.ts';
import { aTrade, aTransaction } from '../../../support/builders.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const noon = Date.UTC(2025, 10, 18, 12);
const period = { from: noon, to: noon + 60 * secondMs };
const long = `0.${'0'.repeat(24)}1`;

type TradeFields = Parameters<typeof aTrade>[0];

describe('the numbers of an analysis', () => {
  const folder = folderOfEachTest();

  const numbersOf = async (
    content: LedgerContent,
    asked = period,
  ): Promise<readonly AssetNumbers[]> => {
    const ledger = writeLedger(path.join(folder.path, 'ledger.sqlite'), content);
    const { assets } = await analysisOf(ledger, 'numbers', { period: asked });
    ledger.close();
    return assets;
  };
  const ofTrades = async (fields: readonly TradeFields[]): Promise<AssetNumbers> => {
    const checkpoints = [takersPay(noon)];
    const records = { trades: someTrades(fields) };
    const [numbers, ...others] = await numbersOf({ records, checkpoints });
    assert.deepEqual(others, []);
    return numbers ?? assert.fail('no asset');
  };

  it('are of no asset in an empty ledger', async () => {
    assert.deepEqual(await numbersOf({}), []);
  });

  it('count orders instead of fills, without orders whose fills add up to 0', async () => {
    const numbers = await ofTrades([
      { orderId: '1', rpnl: '1' },
      { orderId: '1', rpnl: '-3' },
      { orderId: '2', rpnl: '5' },
      { orderId: '3', rpnl: '0' },
      { orderId: '4', rpnl: '2' },
      { orderId: '4', rpnl: '-2.0' },
      { orderId: '5', rpnl: '3' },
      { orderId: '6', rpnl: '-1' },
      { orderId: '7', rpnl: '-4' },
    ]);
    const { closedOrders, wins, losses, winRate, averageWin, averageLoss, profitFactor } = numbers;
    assert.deepEqual({ closedOrders, wins, losses }, { closedOrders: 5, wins: 2, losses: 3 });
    assert.deepEqual(winRate, { value: '0.4', sample: 5 });
    const ratios = [averageWin, averageLoss, profitFactor].map(({ value }) => Number(value));
    assert.deepEqual(ratios, [4, -7 / 3, 8 / 7]);
    assert.equal(numbers.largestWin?.amount, '5');
    assert.deepEqual(numbers.largestLoss, { symbol: 'btc_usdt', amount: '-4' });
  });

  it('add a fill with more digits than SQLite adds to the others of its order', async () => {
    for (const orderId of ['9'.repeat(25), '123456789012345678', '9']) {
      const numbers = await ofTrades([
        { orderId, rpnl: '1' },
        { orderId, rpnl: long },
        { orderId: '2', rpnl: `-${long}` },
      ]);
      assert.equal(numbers.closedOrders, 2);
      assert.equal(numbers.largestWin?.amount, `1${long.slice(1)}`);
      assert.equal(numbers.grossPl, '1');
    }
  });

  it('count a fill with such digits that lacks its fee', async () => {
    const { makerShare } = await ofTrades([
      { maker: true, fee: null, rpnl: long },
      { maker: false },
    ]);
    assert.deepEqual(makerShare, { value: '0.5', sample: 2 });
  });

  it('count each fill without an order id on its own', async () => {
    const { closedOrders, wins, largestWin } = await ofTrades([
      { orderId: null, rpnl: '1' },
      { orderId: null, rpnl: '2' },
      { orderId: null, rpnl: `2${long.slice(1)}` },
      { orderId: null, rpnl: `-${long}` },
      { orderId: '1', rpnl: '3' },
    ]);
    assert.deepEqual([closedOrders, wins, largestWin?.amount], [5, 4, '3']);
  });

  it('are also of an asset without a trade in the period', async () => {
    const futureTransactions = [
      aTransaction({ transactionId: '1', type: 'FUNDING_FEE', amount: '-5', time: at(30) }),
      aTransaction({ transactionId: '2', type: 'REALIZED_PL', amount: '-100', time: at(30) }),
    ];
    const [usdt, ...others] = await numbersOf({ records: { trades: [], futureTransactions } });
    assert.deepEqual(others, []);
    const { netPl, funding, winRate, makerShare, agreement } = usdt ?? assert.fail('no asset');
    assert.deepEqual([netPl, funding], ['-5', '-5']);
    assert.deepEqual([winRate.value, makerShare.value], [null, null]);
    assert.equal(agreement.verdict, 'undecided');
  });

  it('are not defined without a loss, or over a gross P&L that is not positive', async () => {
    const won = await ofTrades([{ rpnl: '3', fee: '1' }]);
    assert.deepEqual([won.profitFactor.value, won.averageLoss.value], [null, null]);
    assert.deepEqual([won.averageLoss.sample, won.feeShare.value], [0, `0.${'3'.repeat(20)}`]);
    const lost = await ofTrades([{ rpnl: '-3', fee: '1' }]);
    assert.deepEqual([lost.averageWin.value, lost.feeShare.value], [null, null]);
    assert.equal(lost.profitFactor.value, '0');
  });

  it('have all fees of an asset in its net, and name those of its trades in others', async () => {
    const futureTransactions = [
      aTransaction({ transactionId: '1', type: 'FUNDING_FEE', amount: '-0.5', time: at(1) }),
      aTransaction({ transactionId: '2', type: 'LIQUIDATION_FEE', amount: '-2', time: at(1) }),
      aTransaction({ transactionId: '3', type: 'DEPOSIT', amount: '1000', time: at(1) }),
    ];
    const trades = someTrades([
      { orderId: '1', rpnl: '10', fee: '1', maker: false },
      { orderId: '2', rpnl: '0', fee: '-0.25', maker: true },
      { orderId: '2', rpnl: '0', fee: '0.01', feeAsset: 'bnb', maker: true },
      { orderId: '3', rpnl: '0', fee: '0.5', symbol: 'eth_btc', maker: true },
    ]);
    const records = { trades, futureTransactions };
    const [, usdt] = await numbersOf({ records, checkpoints: [takersPay(noon)] });
    assert.equal(usdt?.asset, 'usdt');
    const { feesPaid, feeRebates, funding, liquidationFees, netPl, otherFeeAssets } = usdt;
    assert.deepEqual(
      { feesPaid, feeRebates, funding, liquidationFees, netPl, otherFeeAssets },
      {
        feesPaid: '1.5',
        feeRebates: '-0.25',
        funding: '-0.5',
        liquidationFees: '-2',
        netPl: '6.25',
        otherFeeAssets: ['bnb'],
      },
    );
    assert.equal(usdt.feeShare.value, '0.125');
    assert.deepEqual(usdt.makerShare.sample, 3);
  });

  describe('compare the realised P&L of trades and transactions', () => {
    const hours = Array.from({ length: 12 }, (_none, hour) => hour);
    const day = { from: noon, to: noon + 24 * hourMs };
    const trades = hours.map((hour) =>
      aTrade({ tradeId: String(hour + 1), fee: '0', rpnl: '10', time: at(3600 * (hour + 1)) }),
    );
    const booked = hours.map((hour) =>
      aTransaction({
        ...{ transactionId: String(hour + 1), type: 'REALIZED_PL', amount: '10' },
        time: at(3600 * (hour + 1) + 1),
      }),
    );
    const agreement = async (futureTransactions: typeof booked, content: LedgerContent = {}) => {
      const records = { trades, futureTransactions, ...content.records };
      const [usdt] = await numbersOf({ ...content, records }, day);
      return usdt?.agreement ?? assert.fail();
    };

    it('which agree', async () => {
      assert.deepEqual(await agreement(booked), {
        verdict: 'agree',
        compared: [day],
        trades: '120',
        transactions: '120',
        differences: [],
      });
    });

    it('which differ by what is missing', async () => {
      const { verdict, differences } = await agreement(booked.slice(0, -1));
      assert.equal(verdict, 'differ');
      assert.deepEqual(
        differences.map(({ amount }) => amount),
        ['10'],
      );
      const [{ from, to } = day] = differences;
      const last = Number(trades.at(-1)?.time);
      assert.ok(from <= last && last < to);
    });

    it('which are undecided while too few agreed, and if a trade does not say its own', async () => {
      const few = { records: { trades: trades.slice(0, 3) } };
      assert.equal((await agreement(booked.slice(0, 2), few)).verdict, 'undecided');
      const silent = trades.map((trade, hour) => (hour === 4 ? { ...trade, rpnl: null } : trade));
      const found = await agreement(booked, { records: { trades: silent } });
      assert.deepEqual([found.verdict, found.trades], ['undecided', '110']);
    });

    it('which cannot be compared where one of them is not complete', async () => {
      const found = await agreement(booked, { complete: { futureTransactions: [] } });
      assert.equal(found.verdict, 'notCovered');
    });
  });
});

function at(second: number): string {
  return String(noon + second * secondMs);
}

function someTrades(fields: readonly TradeFields[]) {
  return fields.map((each, index) =>
    aTrade({ tradeId: String(index + 1), time: at(10), fee: '0', ...each }),
  );
}
