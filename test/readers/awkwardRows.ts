import type { HistoryName } from '../../src/api/operations.ts';
import { rowsOf, type Row } from '../support/hostileExchange/rows.ts';

/** Numbers that a float changes, as JSON text. */
const numbers = [
  '123456789012345678901234567890.123456789012345678901234567890',
  '1E-7',
  '-1e+30',
  '-0',
  '1.10',
  '-5.25',
  '0.000000000000000001',
  '9007199254740993',
  '0.1',
  '100000000000000000000000000000',
];

/** Texts that a file of rows, a spreadsheet or a reader may stumble over. */
const texts = [
  'say "hi"',
  'a,b;c\td',
  'two\r\nlines',
  'one\nline',
  'a\rreturn',
  '=1+1',
  '+cmd|/C calc',
  '-1+1',
  '@SUM(A1)',
  '|pipe',
  '%percent',
  '＝1',
  '  =leading',
  '\u202e=rtl\u202c',
  '\u200f@mark',
  '-5.25',
  "'=already",
  'a;=1+1',
  'tab\t@SUM(A1)',
  "it's; 'so",
  'Ünïcødé 💰 \u2028 שלום',
  '',
  ' spaces ',
  'null',
  'NaN',
  '_x000D_',
  'bell\u0007',
];

/** Which fields of each history take a number, and which a text. */
const takes: Readonly<Record<HistoryName, { numbers: readonly string[]; text: string }>> = {
  orders: {
    numbers: ['amount', 'price', 'averageExecutionPrice', 'filled'],
    text: 'clientOrderId',
  },
  trades: { numbers: ['amount', 'price', 'fee', 'rpnl'], text: 'feeAsset' },
  lots: {
    numbers: ['amount', 'averageLiquidationPrice', 'marginCallPrice', 'discount'],
    text: 'symbol',
  },
  transactions: { numbers: ['amount'], text: 'link' },
};

/** Rows of a history with every such number and text, ids beyond 2^53, nulls and fields that nobody knows. */
export function awkwardRows(history: HistoryName): Row[] {
  const { numbers: numeric, text } = takes[history];
  const fields = (index: number): Row['json'] => ({
    ...Object.fromEntries(numeric.map((name, at) => [name, pick(numbers, index + at)])),
    [text]: JSON.stringify(pick(texts, index)),
    ...(history === 'orders' && index % 7 === 0 ? { price: 'null', clientOrderId: 'null' } : {}),
    ...(index % 5 === 0
      ? { note: JSON.stringify(pick(texts, index + 1)), exact: pick(numbers, index) }
      : {}),
  });
  return rowsOf(history, 60, { fields, firstId: 9_007_199_254_740_993_000n });
}

function pick(from: readonly string[], index: number): string {
  return from[index % from.length] ?? '';
}
