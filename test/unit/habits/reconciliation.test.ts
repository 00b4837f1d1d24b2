import assert from 'node:assert/strict';
import { hourMs, minuteMs } from '../../../src/base/time.ts';
import type { Order, Trade, Transaction } from '../../../src/exchange/records.ts';
import type { Checkpoint } from '../../../src/ledger/ledger.ts';
import { reconcile } from '../../../src/ledger/reconciliation/reconciliation.ts';
import { anOrder, aProfile, aTrade, aTransaction, unknownFees } from '../../support/builders.ts';
import { aDisplay } from '../../support/display.ts';
import { testHabits, type Habit } from '../../support/habits.ts';
import { everythingCovered, ledgerInMemory } from '../../support/ledgerInMemory.ts';
import { bookHabits, falseContradictions } from '../../support/reconciliationTrials.ts';
const { reconciliationDocument } = await import('../../../src/host/reconciliation/document.ts');

const start = Date.UTC(2026, 9, 1);
const at = (hour: number): number => start + hour * hourMs;
const everything = everythingCovered({ from: start - hourMs, to: at(1000) });
const hours = Array.from({ length: 12 }, (_, hour) => hour);

type Records = {
  readonly checkpoints?: readonly Checkpoint[];
  readonly orders?: readonly Order[];
  readonly trades?: readonly Trade[];
  readonly futureTransactions?: readonly Transaction[];
  readonly spotTransactions?: readonly Transaction[];
};

const actions = { refresh: () => undefined, show: () => undefined };

/** A line of the page: word, remainder and notes. */
function lineOf(title: string, label: string, { checkpoints = [], ...records }: Records) {
  const report = reconcile(ledgerInMemory({ checkpoints, records, coverage: everything }));
  const state = { kind: 'computed', report, computedAt: at(1000), status: 'current' } as const;
  const shown = { ...state, reading: [], checked: [] };
  const { sections } = reconciliationDocument(aProfile(), shown, aDisplay(), actions);
  // A topic without a verdict is one line, which has its name.
  const lines = (of: string) =>
    sections
      .filter((section) => section.title === of)
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.kind === 'checklist' ? block.items : []));
  const open = lines('Undecided').find((line) => line.label === title);
  if (open) return ['Undecided', '', open.word ?? ''] as const;
  const found = lines(title).find((line) => line.label.split(', ').includes(label));
  const { word = '', figure, texts } = found ?? assert.fail(`${title} ${label}`);
  return [word, figure?.text ?? '', texts.join(' ')] as const;
}

const rounding = /Agrees within float rounding, or the last digit of the figures/;

function assertRounded(line: readonly [string, string, string], remainder: string): void {
  assert.deepEqual([line[0], line[1]], ['Proved', remainder], line[2]);
  assert.match(line[2], rounding);
  assert.ok(line[2].includes(remainder));
}

function aCheckpoint(sentAt: number, deposited: string, amount = '0'): Checkpoint {
  return {
    sentAt,
    answeredAt: sentAt + 50,
    clockErrorMs: 0,
    fees: unknownFees,
    assets: [{ name: 'usdt', deposited, margin: '0', locked: '0' }],
    positions: [{ symbol: 'btc_usdt', marginMode: 'ISOLATED', amount, basePrice: '1' }],
    equity: null,
    upl: null,
  };
}

function booked(time: number, amount: string, fields: Partial<Transaction> = {}): Transaction {
  return aTransaction({
    transactionId: `${time}${amount}${fields.asset ?? ''}`,
    type: 'REWARD',
    amount,
    time: String(time),
    ...fields,
  });
}

/** A balance that grows by a row each hour, as it is written half an hour later. */
function growing(first: string, rows: readonly string[], figures: readonly string[]): Records {
  return {
    checkpoints: [first, ...figures].map((figure, hour) => aCheckpoint(at(hour), figure)),
    futureTransactions: rows.map((amount, hour) => booked(at(hour) + hourMs / 2, amount)),
  };
}

/** A row of 0.1 each hour, added up as doubles are. */
function doubles(first: number, changed: Readonly<Record<number, string>> = {}): Records {
  let sum = first;
  const figures = hours.map(() => String((sum += 0.1)));
  const rows = hours.map((hour) => changed[hour] ?? '0.1');
  return growing(String(first), rows, figures);
}

const fills = ['0.1', '0.2', '0.3'];

/** An order of three trades each hour, whose amounts are added up as doubles are. */
function ordersOf(average: string, prices: readonly string[] = ['100', '100', '100']): Records {
  const filled = String(fills.reduce((sum, amount) => sum + Number(amount), 0));
  const ofHour = (hour: number) => ({ orderId: String(100 + hour), time: String(at(hour + 30)) });
  return {
    orders: hours.map((hour) =>
      anOrder({
        ...ofHour(hour),
        amount: filled,
        filled,
        type: 'MARKET',
        averageExecutionPrice: average,
        status: 'EXECUTED',
      }),
    ),
    trades: hours.flatMap((hour) =>
      fills.map((amount, index) =>
        aTrade({
          ...ofHour(hour),
          tradeId: `${hour}-${index}`,
          amount,
          price: prices[index] ?? '100',
          fee: '0',
        }),
      ),
    ),
  };
}

/** A trade each hour, with its fee and the transaction of the fee. */
function fees() {
  return {
    trades: hours.map((hour) =>
      aTrade({ tradeId: String(hour), fee: '0.5', rpnl: '0', time: String(at(hour)) }),
    ),
    futureTransactions: hours.map((hour) => booked(at(hour), '-0.5', { type: 'FEE' })),
  };
}

/** The figures of one request in three are those of `ageMs` earlier; each is sent a second after a row. */
function answeredLate(ageMs: number, without: number): Records {
  const rows = hours.map((hour) => booked(at(hour) + minuteMs, String(hour + 1)));
  const isOld = (hour: number): boolean => hour % 3 === 2;
  const sumBefore = (time: number): string =>
    String(rows.reduce((sum, row) => sum + (Number(row.time) < time ? Number(row.amount) : 0), 0));
  const checkpoints = hours.flatMap((hour) => {
    const [early, late] = [at(hour) + minuteMs + 1000, at(hour) + hourMs / 2];
    const figure = sumBefore(isOld(hour) ? early - ageMs : early);
    return [
      aCheckpoint(early, figure, figure),
      aCheckpoint(late, sumBefore(late), sumBefore(late)),
    ];
  });
  const trades = rows.map(({ time, amount }, index) =>
    aTrade({ tradeId: String(index), amount, side: 'BUY', fee: '0', time }),
  );
  const futureTransactions = rows.filter((_, hour) => hour !== without);
  return { checkpoints, futureTransactions, trades };
}

const withoutTrade = /FEE transactions of −\S+ belong to no trade/;

const habits: readonly Habit[] = [
  {
    habit: 'a balance is computed with doubles: 444.80699999999996',
    source: 'OKX, and every JavaScript, Java or Python exchange',
    sees: 'proved within float rounding, with the remainder in all digits',
    check: () => {
      const rows = ['0.1', '0.2', '0.3', '0.1', '0.2', '0.3'];
      const figures = ['444.307', '444.507', '444.80699999999996', '444.907', '445.107', '445.407'];
      const line = lineOf('Balances', 'usdt', growing('444.207', rows, figures));
      assertRounded(line, '0.00000000000004');
      assert.equal(lineOf('Balances', 'usdt', doubles(1000.1))[0], 'Proved');
    },
  },
  {
    habit: 'an average is computed with doubles: 30058.889999999992',
    source: 'Hyperliquid and CCXT averages, a sibling of the balance in doubles',
    sees: 'average prices proved, within the 15th digit',
    check: () => {
      const prices = ['30079.19', '30047.29', '30001.37'];
      const paid = fills.map((amount, index) => Number(amount) * Number(prices[index]));
      const average = paid.reduce((sum, each) => sum + each, 0) / (0.1 + 0.2 + 0.3);
      const line = (text: string) => lineOf('Average prices', 'btc_usdt', ordersOf(text, prices));
      assert.deepEqual(line(String(average)).slice(0, 2), ['Proved', '0']);
      const wrong = ordersOf(String(average), prices);
      const [first = assert.fail(), ...others] = wrong.orders ?? [];
      const orders = [{ ...first, averageExecutionPrice: String(average + 1e-8) }, ...others];
      const [word] = lineOf('Average prices', 'btc_usdt', { ...wrong, orders });
      assert.equal(word, 'Contradicted');
    },
  },
  {
    habit:
      'a row is wrong by 1e-8 on an exchange that computes with doubles, or by 1e-18 on one that does not',
    source: 'a sibling of the balance in doubles',
    sees: 'contradicted as before',
    check: () => {
      const wrong = lineOf('Balances', 'usdt', doubles(1000.1, { 7: '0.10000001' }));
      assert.equal(wrong[0], 'Contradicted', wrong[2]);
      const rows = hours.map((hour) =>
        hour === 7 ? '1.000000000000000002' : '1.000000000000000001',
      );
      const figures = hours.map((hour) => `${1001 + hour}.${String(hour + 1).padStart(18, '0')}`);
      const [word, remainder] = lineOf('Balances', 'usdt', growing('1000', rows, figures));
      assert.deepEqual([word, remainder], ['Contradicted', '−0.000000000000000001']);
    },
  },
  {
    habit: 'balances are cut to 2 decimals, their rows have 8',
    source: 'balances with fewer digits than their rows',
    sees: 'proved within the last digit of the figures; an error above it is contradicted',
    check: () => {
      const rows = hours.map((hour) => `${hour + 1}.12345678`);
      const cut = (count: number): string => {
        const units = Array.from({ length: count }, (_, hour) => (hour + 1) * 1e8 + 12_345_678);
        return (Math.floor(units.reduce((sum, each) => sum + each, 0) / 1e6) / 100).toFixed(2);
      };
      const figures = hours.map((hour) => cut(hour + 1));
      const [word, , notes] = lineOf('Balances', 'usdt', growing('0', rows, figures));
      assert.equal(word, 'Proved', notes);
      assert.match(notes, rounding);
      const wrong = rows.map((row, hour) => (hour === 6 ? '7.15345678' : row));
      assert.equal(lineOf('Balances', 'usdt', growing('0', wrong, figures))[0], 'Contradicted');
    },
  },
  {
    habit: 'balances are cut to 2 decimals, and less than that is missing each hour',
    source: 'a sibling of the balances with fewer digits',
    sees: 'contradicted: rounding never adds up',
    check: () => {
      const rows = hours.map(() => '-1.0005');
      const figureAfter = (missing: number) => (hour: number) =>
        (Math.floor(1e6 - (hour + 1) * (100.05 + missing)) / 100).toFixed(2);
      const wordOf = (missing: number) =>
        lineOf('Balances', 'usdt', growing('10000', rows, hours.map(figureAfter(missing))))[0];
      assert.deepEqual([wordOf(0), wordOf(0.2)], ['Proved', 'Contradicted']);
    },
  },
  {
    habit: 'the account is answered by a replica that is 3 s behind, and a row is missing',
    source: 'a sibling of the answer from a cache',
    sees: 'one contradiction, of the missing row',
    check: () => {
      const [word, remainder, notes] = lineOf('Balances', 'usdt', answeredLate(3000, 7));
      assert.deepEqual([word, remainder], ['Contradicted', '8']);
      assert.doesNotMatch(notes, /contradictions/);
    },
  },
  {
    habit: 'a withdrawal has a FEE that belongs to no trade',
    source: 'withdrawals and loans of unified accounts',
    sees: 'undecided, and which fee belongs to no trade',
    check: () => {
      const { trades, futureTransactions } = fees();
      const withdrawal = booked(at(5) + hourMs / 2, '-1', { type: 'FEE' });
      const all = [...futureTransactions, withdrawal];
      const [word, remainder, notes] = lineOf('Trade fees', 'usdt', {
        trades,
        futureTransactions: all,
      });
      assert.deepEqual([word, remainder], ['Undecided', '']);
      assert.match(notes, /FEE transactions of −1 belong to no trade/);
    },
  },
  {
    habit: 'fees of a loan are booked beside trades, in this asset and in one that no trade uses',
    source: 'a sibling of the fee of a withdrawal',
    sees: 'undecided, both named',
    check: () => {
      const { trades, futureTransactions } = fees();
      const loans = [2, 5, 8].flatMap((hour) =>
        ['usdt', 'btc'].map((asset) => booked(at(hour) + 1000, '-0.013', { type: 'FEE', asset })),
      );
      const records = { trades, futureTransactions: [...futureTransactions, ...loans] };
      for (const asset of ['usdt', 'btc']) {
        const [word, , notes] = lineOf('Trade fees', asset, records);
        assert.equal(word, 'Undecided');
        assert.match(notes, withoutTrade);
        assert.match(notes, /Intervals with such fees: 3\./);
      }
    },
  },
  {
    habit: 'two fees without a trade at once, one of them a refund',
    source: 'a sibling of the fee of a withdrawal',
    sees: 'undecided, with their sum',
    check: () => {
      const { trades, futureTransactions } = fees();
      const both = ['-3', '1'].map((fee) => booked(at(5) + 2000, fee, { type: 'FEE' }));
      const records = { trades, futureTransactions: [...futureTransactions, ...both] };
      const [word, , notes] = lineOf('Trade fees', 'usdt', records);
      assert.equal(word, 'Undecided');
      assert.match(notes, /FEE transactions of −2 belong to no trade/);
    },
  },
  {
    habit:
      'the fee transaction of a trade is missing, altered or there twice, beside the fee of a withdrawal',
    source: 'a sibling of the fee of a withdrawal',
    sees: 'contradicted as before',
    check: () => {
      const { trades, futureTransactions } = fees();
      const withdrawal = booked(at(2) + hourMs / 2, '-1', { type: 'FEE' });
      const [wrong = assert.fail()] = futureTransactions.slice(7);
      for (const instead of [[], [{ ...wrong, amount: '-0.6' }], [wrong, { ...wrong }]]) {
        const changed = futureTransactions.flatMap((each) => (each === wrong ? instead : [each]));
        const records = { trades, futureTransactions: [...changed, withdrawal] };
        assert.equal(lineOf('Trade fees', 'usdt', records)[0], 'Contradicted');
      }
    },
  },
  {
    habit: 'these habits in many combinations, with positions without a sign',
    source: 'a sibling of each',
    sees: 'no contradiction',
    check: () => {
      for (let seed = 1; seed <= 12; seed++)
        assert.deepEqual(falseContradictions(seed, 800, bookHabits(seed)), []);
    },
  },
];

testHabits('the reconciliation', habits);
