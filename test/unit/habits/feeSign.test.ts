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
    checkpoints: readonly Checkpoint[] = [],
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

  testHabits('the sign of fees', [
    {
      habit: 'a paid fee is negative, and the fee table has a positive taker rate',
      source: 'ccxt#5909, OKX, HTX, Bitget',
      sees: 'the net P&L by which the balance moved',
      check: async () => {
        assert.deepEqual(await shown({ trades: trades('-0.25') }, [ratesOf('0.0005', 0)]), paid);
        assert.deepEqual(await shown({ trades: trades('0.25') }, [ratesOf('0.0005', 0)]), paid);
      },
    },
    {
      habit: 'a paid fee is negative, and one of its trades took',
      source: 'a sibling of a negative paid fee',
      sees: 'the net P&L by which the balance moved',
      check: async () => {
        const made = trades('-0.25', { maker: true });
        const one = [{ ...made[0], maker: false } as Trade, ...made.slice(1)];
        assert.deepEqual(await shown({ trades: one }, [ratesOf('0.0005', 40)]), paid);
        assert.deepEqual(await shown({ trades: made }, [ratesOf('0.0005', 40)]), asSent('-3'));
      },
    },
    {
      habit: 'a paid fee is negative, and only transactions of fees prove it',
      source: 'a sibling of a negative paid fee',
      sees: 'the net P&L by which the balance moved',
      check: async () => {
        const records = { trades: trades('-0.25'), futureTransactions: booked('-0.25') };
        assert.deepEqual(await shown(records, balances()), paid);
        const usual = { trades: trades('0.25'), futureTransactions: booked('-0.25') };
        assert.deepEqual(await shown(usual, balances()), paid);
      },
    },
    {
      habit: 'transactions of fees have no sign',
      source: 'a sibling of a negative paid fee',
      sees: 'no net P&L from them, as balances contradict them, but what takers prove',
      check: async () => {
        const records = { trades: trades('0.25'), futureTransactions: booked('0.25') };
        assert.deepEqual(await shown(records, balances()), asSent('3'));
        const taken = [...balances(), ratesOf('0.0005', 0)];
        assert.deepEqual(await shown(records, taken), paid);
      },
    },
    {
      habit: 'a paid fee is negative, and written with more digits than a number has',
      source: 'a sibling of a negative paid fee',
      sees: 'the net P&L by which the balance moved',
      check: async () => {
        const [netPl] = await shown({ trades: trades('-0.0025000500000000003') }, [
          ratesOf('0.0005', 0),
        ]);
        assert.equal(netPl, '17.9699993999999999964');
      },
    },
    {
      habit: 'a taker fee is null in a row with more digits than a number has',
      source: 'a sibling of a negative paid fee',
      sees: 'the sign that other fees prove',
      check: async () => {
        const silent = { fee: null, price: '50000.0000000000000000000000001' };
        const some = [...trades('-0.25'), aTrade({ ...trades('0')[0], tradeId: '99', ...silent })];
        assert.deepEqual(await shown({ trades: some }, [ratesOf('0.0005', 0)]), paid);
      },
    },
    {
      habit: 'the fee table was refused for hours',
      source: 'a sibling of a negative paid fee',
      sees: 'the sign that it proves once it is read',
      check: async () => {
        const without = Array.from({ length: 150 }, (_none, index) => ({
          ...ratesOf('0', index / 10),
          fees: noRates,
        }));
        const read = [...without, ratesOf('0.0005', 20)];
        assert.deepEqual(await shown({ trades: trades('-0.25') }, read), paid);
      },
    },
    {
      habit: 'nothing proves the sign of fees',
      source: 'a sibling of a negative paid fee',
      sees: 'no net P&L, and fees as sent',
      check: async () => {
        assert.deepEqual(await shown({ trades: trades('-0.25') }), asSent('-3'));
        for (const taker of ['0', '-0.0001'])
          assert.deepEqual(
            await shown({ trades: trades('-0.25') }, [ratesOf(taker, 0)]),
            asSent('-3'),
            taker,
          );
      },
    },
    {
      habit: 'the taker rate was not positive before or after',
      source: 'a sibling of a negative paid fee',
      sees: 'no net P&L, and fees as sent',
      check: async () => {
        const changed = [ratesOf('-0.0001', 0), ratesOf('0.0005', 99)];
        assert.deepEqual(await shown({ trades: trades('-0.25') }, changed), asSent('-3'));
      },
    },
    {
      habit: 'takers and transactions contradict each other',
      source: 'a sibling of a negative paid fee',
      sees: 'no net P&L, and fees as sent',
      check: async () => {
        const opposite = { trades: trades('0.25'), futureTransactions: booked('0.25') };
        const risen = [...balances('0.25'), ratesOf('0.0005', 0)];
        assert.deepEqual(await shown(opposite, risen), asSent('3'));
        const mixed = [...trades('0.25').slice(0, 6), ...trades('-0.25').slice(6)];
        assert.deepEqual(await shown({ trades: mixed }, [ratesOf('0.0005', 0)]), asSent('0'));
      },
    },
    {
      habit: 'no fee is other than 0, and nothing proves their sign',
      source: 'a sibling of a negative paid fee',
      sees: 'the net P&L',
      check: async () => {
        for (const fee of ['0', '-0', '0.000'])
          assert.deepEqual(await shown({ trades: trades(fee) }), ['18', '0', '0', '0']);
      },
    },
  ]);
});
