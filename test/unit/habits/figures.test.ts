import assert from 'node:assert/strict';
import { minuteMs } from '../../../src/base/time.ts';
import { parseJson } from '../../../src/base/exactJson.ts';
import { lockedIn } from '../../../src/account/cancelAll/lockedOrders.ts';
import { answers, type Page } from '../../../src/exchange/records.ts';
import {
  anAccount,
  anOrder,
  aPosition,
  aTrade,
  aTransaction,
  someLocked,
  wire,
} from '../../support/builders.ts';
import { decode } from '../../support/decode.ts';
import { testHabits, type Habit } from '../../support/habits.ts';
import { at, watchedAccountOfEachTest } from '../../support/watchedAccount.ts';

/** The text of an account whose second position is `text`. */
function withSecondPosition(text: string): string {
  return wire(anAccount({ positions: [aPosition()] })).replace(
    /("positions":\[.*?)\]/,
    `$1,${text}]`,
  );
}

/** A record on the wire with one field written in another way; without it if `json` is undefined. */
function withField(record: object, field: string, json: string | undefined): string {
  const members = Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'extra') return [];
    if (name !== field) return [wire({ [name]: value }).slice(1, -1)];
    return json === undefined ? [] : [`"${name}":${json}`];
  });
  return `{${members.join()}}`;
}

const absent: readonly (string | undefined)[] = ['null', '""', undefined];
const notNumbers = ['NaN', '-Infinity', '.5', '+1', 'nan', '"NaN"', '"1,5"', '[]', 'true'];
function assertOnlyFigureIsUnknown(read: object | undefined, whole: object, field: string): void {
  assert.deepEqual(read, { ...whole, [field]: null }, field);
}

const fieldHabits: readonly Habit[] = [
  {
    habit: 'a figure that does not exist is "", null or missing',
    source: 'Bybit liqPrice, ccxt#16166, ccxt#15181',
    sees: 'the position, with only that figure unknown',
    check: () => {
      const position = aPosition({ symbol: 'sol_usdt' });
      for (const field of Object.keys(position).filter((name) => !/symbol|extra/.test(name)))
        for (const json of absent) {
          const text = withSecondPosition(withField(position, field, json));
          const { value, badRecords } = decode(answers.accounts, parseJson(text));
          assertOnlyFigureIsUnknown(value.positions?.[1], position, field);
          assert.deepEqual(badRecords, []);
        }
    },
  },
  {
    habit: 'a number is written as JSON has none, or as another type',
    source: 'Python and Lua exchanges: NaN, Infinity, .5, +1',
    sees: 'the account, with only that figure unknown and named',
    check: () => {
      const position = aPosition({ symbol: 'sol_usdt' });
      for (const json of notNumbers) {
        const text = withSecondPosition(withField(position, 'liquidationPrice', json));
        const { value, badRecords } = decode(answers.accounts, parseJson(text));
        assertOnlyFigureIsUnknown(value.positions?.[1], position, 'liquidationPrice');
        assert.deepEqual(
          badRecords.map(({ path, isField }) => [path, isField]),
          [['$.positions[1].liquidationPrice', true]],
        );
      }
    },
  },
  {
    habit: 'a balance has a null figure, or a list a null item',
    source: 'sibling of ccxt#16166',
    sees: 'the other balances, and each figure but that one',
    check: () => {
      const [asset = assert.fail()] = anAccount().assets ?? [];
      for (const field of ['margin', 'deposited', 'locked', 'isMargin']) {
        const text = wire(anAccount({ assets: [] })).replace(
          '"assets":[]',
          `"assets":[null,${withField(asset, field, 'null')}]`,
        );
        const { value, badRecords } = decode(answers.accounts, parseJson(text));
        assertOnlyFigureIsUnknown(value.assets?.[0], asset, field);
        assert.deepEqual(
          badRecords.map(({ path }) => path),
          ['$.assets[0]'],
        );
      }
    },
  },
  {
    habit: 'a row of a history has a null figure',
    source: 'FTX, sibling of ccxt#15181',
    sees: 'the row, with only that figure unknown; without its id, symbol or time it is set aside',
    check: () => {
      const records = [
        ['orders', anOrder(), ['orderId', 'symbol', 'time']],
        ['trades', aTrade(), ['tradeId', 'symbol', 'time']],
        ['transactions', aTransaction(), ['transactionId', 'asset', 'type', 'time']],
      ] as const;
      for (const [name, record, identity] of records)
        for (const field of Object.keys(record).filter((one) => one !== 'extra')) {
          const row = withField(record, field, 'null');
          const page = parseJson(`[${row},${wire(record)}]`);
          const { value, badRecords } = decode<Page<object>>(answers[name], page);
          const isLost = (identity as readonly string[]).includes(field);
          assert.equal(value.content.length, isLost ? 1 : 2, `${name} ${field}`);
          assert.equal(badRecords.length, isLost ? 1 : 0, `${name} ${field}`);
          if (!isLost) assertOnlyFigureIsUnknown(value.content[0], record, field);
        }
    },
  },
  {
    habit: 'what open orders lock has a null figure, or is null',
    source: 'Go and C# exchanges write an empty list as null',
    sees: 'what is locked as unknown, never as nothing',
    check: () => {
      const read = (orders: string) => {
        const text = wire(anAccount({ orders: [] })).replace('"orders":[]', `"orders":${orders}`);
        const { value, badRecords } = decode(answers.accounts, parseJson(text));
        return { locked: lockedIn({ account: value, badRecords }), bad: badRecords.length };
      };
      const none = someLocked({ lockedBid: '0', sumSizeBid: '0' });
      assert.deepEqual(read(`[${wire(none)}]`), { locked: [], bad: 0 });
      assert.deepEqual(read('null'), { locked: undefined, bad: 1 });
      for (const json of absent) {
        const { locked, bad } = read(`[${withField(none, 'lockedAsk', json)}]`);
        assert.deepEqual([locked?.length, bad], [1, 1]);
      }
    },
  },
];

describe('figures that do not exist', () => {
  const watched = watchedAccountOfEachTest();
  const { pass } = watched;
  const sees = (text: string): void => {
    const { value, badRecords } = decode(answers.accounts, parseJson(text));
    watched.window.sees(value, badRecords);
  };
  const listed = (...positions: string[]): string =>
    wire(anAccount({ positions: [] })).replace(
      '"positions":[]',
      `"positions":[${positions.join()}]`,
    );

  testHabits('figures of records', fieldHabits);

  testHabits('positions that are unknown', [
    {
      habit: 'the amount or the margin mode cannot be read for one answer',
      source: 'sibling of Bybit liqPrice',
      sees: 'the same position: it is not gone, and no alert about it comes again',
      check: async () => {
        for (const [field, json] of [
          ['amount', 'null'],
          ['marginMode', 'null'],
          ['marginMode', '""'],
        ] as const) {
          watched.begin();
          sees(listed(wire(at(4))));
          await pass(11 * minuteMs);
          sees(listed(withField(at(4), field, json)));
          await pass(11 * minuteMs);
          sees(listed(wire(at(4))));
          await pass(minuteMs);
          assert.deepEqual(watched.window.positionAlerts, [['btc_usdt critical']], field);
          assert.deepEqual(watched.world.requests, [], field);
        }
      },
    },
  ]);
});
