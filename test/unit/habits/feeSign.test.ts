import assert from 'node:assert/strict';
import path from 'node:path';
import { hourMs } from '../../../src/base/time.ts';
import type { Trade } from '../../../src/exchange/records.ts';
import type { Checkpoint } from '../../../src/ledger/ledger.ts';
import { analysisOf, writeLedger } from '../../support/analysedLedger.ts';
import { feeCheckpoint } from '../../support/auditedFees.ts';
import { aTrade, aTransaction } from '../../support/builders.ts';
import { testHabits } from '../../support/habits.ts';
import { folderOfEachTest } from '../../support/project.ts';

const start = Date.UTC(2026, 9, 1);
const period = { from: start, to: start + 100 * hourMs };

function ratesOf(taker: string, hour: number, maker = '-0.0001'): Checkpoint {
  const rates = { tier: '0', maker, taker };
  return feeCheckpoint(start + hour * hourMs, { tier: '0', discount: '0', rates, table: [rates] });
}

/** Twelve trades, one an hour, half of which realise 3. */
function trades(fee: string, fields: Partial<Trade> = {}): readonly Trade[] {
  return Array.from({ length: 12 }, (_none, index) =>
    aTrade({
      ...{ tradeId: String(index + 1), orderId: String(index + 1), rpnl: index % 2 ? '3' : '0' },
      ...{ time: String(start + (index + 1) * hourMs), type: 'ORDER_BOOK', fee, ...fields },
    }),
  );
}

/** What books the fees of trades. */
function booked(amount: string) {
  return trades('0').map(({ tradeId: transactionId, time }) =>
    aTransaction({ transactionId, type: 'FEE', amount, time }),
  );
}

/** What the account has half an hour after each fee, as it falls by each. */
function balances(change = '-0.25'): readonly Checkpoint[] {
  return Array.from({ length: 13 }, (_none, index) => {
    const deposited = String(1000 + index * Number(change));
    const asset = { name: 'usdt', deposited, margin: null, locked: null };
    return { ...ratesOf('0', index + 0.5), fees: noRates, assets: [asset] };
  });
}

const noRates = { tier: null, discount: null, rates: null };

describe('a ledger whose fees have a sign', () => {
  const folder = folderOfEachTest();

  /** Net P&L, paid fees, rebates and the share of fees, then the series of fees. */
  const shown = async (
    records: { trades: readonly Trade[]; futureTransactions?: ReturnType<typeof booked> },
    checkpoints: readonly Checkpoint[],
  ) => {
    const ledger = writeLedger(path.join(folder.path, `${crypto.randomUUID()}.sqlite`), {
      records: { futureTransactions: [], ...records },
      checkpoints,
    });
    const asked = { period, now: period.to };
    const [usdt] = (await analysisOf(ledger, 'numbers', asked)).assets;
    const { series } = await analysisOf(ledger, 'fees', asked);
    ledger.close();
    return [
      ...[usdt?.netPl, usdt?.feesPaid, usdt?.feeRebates, usdt?.feeShare.value],
      ...series.map(({ kind, total }) => `${kind} ${total}`),
    ];
  };
  const paid = ['15', '3', '0', '0.16666666666666666667', 'feePaid 3'];
  const asSent = (fees: string) => [null, null, null, null, `feeAsSent ${fees}`];

  const mixed = [...trades('0.25').slice(0, 6), ...trades('-0.25').slice(6)];
  const [firstMade, ...otherMade] = trades('-0.25', { maker: true });
  const oneTaken = [{ ...firstMade, maker: false } as Trade, ...otherMade];
  const silent = { tradeId: '99', fee: null, price: '50000.0000000000000000000000001' };
  const unreadRates = Array.from({ length: 150 }, (_none, index) => ({
    ...ratesOf('0', index / 10),
    fees: noRates,
  }));
  const takersPay = [ratesOf('0.0005', 0)];
  const bookedAs = (fee: string, amount: string) => ({
    trades: trades(fee),
    futureTransactions: booked(amount),
  });

  const cases: readonly [
    habit: string,
    sees: 'the net P&L by which the balance moved' | 'no net P&L, and fees as sent',
    ...(readonly [Parameters<typeof shown>[0], readonly Checkpoint[], readonly unknown[]])[],
  ][] = [
    [
      'a paid fee is negative, and the fee table has a positive taker rate',
      'the net P&L by which the balance moved',
      [{ trades: trades('-0.25') }, takersPay, paid],
      [{ trades: trades('0.25') }, takersPay, paid],
    ],
    [
      'a paid fee is negative, and one of its trades took',
      'the net P&L by which the balance moved',
      [{ trades: oneTaken }, [ratesOf('0.0005', 40)], paid],
      [{ trades: trades('-0.25', { maker: true }) }, [ratesOf('0.0005', 40)], asSent('-3')],
    ],
    [
      'a paid fee is negative, and only transactions of fees prove it',
      'the net P&L by which the balance moved',
      [bookedAs('-0.25', '-0.25'), balances(), paid],
      [bookedAs('0.25', '-0.25'), balances(), paid],
    ],
    [
      'transactions of fees have no sign, which balances contradict, unless takers prove it',
      'no net P&L, and fees as sent',
      [bookedAs('0.25', '0.25'), balances(), asSent('3')],
      [bookedAs('0.25', '0.25'), [...balances(), ...takersPay], paid],
    ],
    [
      'a taker fee is null in a row with more digits than a number has',
      'the net P&L by which the balance moved',
      [{ trades: [...trades('-0.25'), aTrade({ ...trades('0')[0], ...silent })] }, takersPay, paid],
    ],
    [
      'the fee table was refused for hours',
      'the net P&L by which the balance moved',
      [{ trades: trades('-0.25') }, [...unreadRates, ratesOf('0.0005', 20)], paid],
    ],
    [
      'nothing proves the sign of fees',
      'no net P&L, and fees as sent',
      [{ trades: trades('-0.25') }, [], asSent('-3')],
      [{ trades: trades('-0.25') }, [ratesOf('0', 0)], asSent('-3')],
      [{ trades: trades('-0.25') }, [ratesOf('-0.0001', 0)], asSent('-3')],
    ],
    [
      'the taker rate was not positive before or after',
      'no net P&L, and fees as sent',
      [{ trades: trades('-0.25') }, [ratesOf('-0.0001', 0), ratesOf('0.0005', 99)], asSent('-3')],
    ],
    [
      'takers and transactions contradict each other, or takers do',
      'no net P&L, and fees as sent',
      [bookedAs('0.25', '0.25'), [...balances('0.25'), ...takersPay], asSent('3')],
      [{ trades: mixed }, takersPay, asSent('0')],
    ],
    [
      'no fee is other than 0, and nothing proves their sign',
      'the net P&L by which the balance moved',
      ...['0', '-0', '0.000'].map(
        (fee) => [{ trades: trades(fee) }, [], ['18', '0', '0', '0']] as const,
      ),
    ],
  ];

  testHabits(
    'the sign of fees',
    cases.map(([habit, sees, ...ledgers]) => ({
      habit,
      source: 'ccxt#5909, OKX, HTX, Bitget, or a sibling',
      sees,
      check: async () => {
        for (const [records, checkpoints, figures] of ledgers)
          assert.deepEqual(await shown(records, checkpoints), figures);
      },
    })),
  );

  it('leaves each digit of a negative fee in the net', async () => {
    const [netPl] = await shown({ trades: trades('-0.0025000500000000003') }, takersPay);
    assert.equal(netPl, '17.9699993999999999964');
  });
});
