import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { amountOf, integerAt, mostDecimals } from '../../base/decimal.ts';
import type { Trade } from '../../exchange/records.ts';
import { idKey, idTextSql } from './numberKey.ts';

/** A trade as its columns have it: to parse its record would take three times as long. */
export type StoredTrade = {
  readonly time: number;
  readonly row: number;
  readonly tradeId: string;
  readonly orderId: string | null;
  readonly symbol: string;
  readonly side: string | null;
  readonly feeAsset: string | null;
  readonly type: string | null;
  /** Figures are integers with the reader's fraction. */
  readonly amount: bigint | null;
  readonly price: bigint | null;
  readonly rpnl: bigint | null;
  readonly fee: bigint | null;
};

/** Decimals of all figures, unless a trade has more: a share of a fee is rounded to these. */
const leastFraction = 20;
/** How many trades are read at a time. */
const sliceSize = 4000;
/** A number up to this is read as one integer with nine decimals, and its other decimals. */
const mostPacked = 9_000_000;
const figures = ['amount', 'price', 'rpnl', 'fee'] as const;
/** Where the figures begin in a row. */
const figuresAt = 9;

type TradeRow = readonly (number | string | null)[];

/** Reads the trades that the exchange still lists. */
export class TradeReader {
  /** Decimals of the figures. */
  readonly fraction: number;
  private readonly database: DatabaseSync;
  private readonly json: StatementSync;
  private readonly byOrder: StatementSync;
  private readonly nano: bigint;
  private readonly atto: bigint;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.fraction = fractionOf(database);
    this.nano = 10n ** BigInt(this.fraction - 9);
    this.atto = 10n ** BigInt(this.fraction - 18);
    this.json = database.prepare('SELECT json FROM tradesJson WHERE row = ?');
    this.byOrder = this.select('orderId = ? AND unlistedSince IS NULL ORDER BY time, tradeId');
  }

  /** In the order of time. The file is not locked while one is used. */
  *since(from: number): Generator<StoredTrade> {
    const statement = this.select(
      'time >= ? AND unlistedSince IS NULL ORDER BY time, tradeId LIMIT ?',
    );
    for (const rows of slices((...of) => rowsOf(statement, of), from))
      for (const row of rows) yield this.tradeOf(row);
  }

  /** In the order of time. */
  ofOrder(orderId: string): StoredTrade[] {
    return rowsOf(this.byOrder, [idKey(orderId)]).map((row) => this.tradeOf(row));
  }

  private select(condition: string): StatementSync {
    const isLarge = (name: string): string => `abs(${name}) > ${mostPacked}`;
    const packed = figures.map(
      (name) =>
        `iif(hasText OR ${isLarge(name)}, NULL, ${name} * 1000000000 + ${name}Nano), ${name}Atto`,
    );
    const statement = this.database.prepare(
      `SELECT time, row, ${idTextSql('tradeId')}, ${idTextSql('orderId')}, symbol, side, feeAsset, type,
         hasText OR ${figures.map(isLarge).join(' OR ')}, ${packed.join()}
       FROM trades WHERE ${condition}`,
    );
    statement.setReturnArrays(true);
    return statement;
  }

  private tradeOf(row: TradeRow): StoredTrade {
    const [time, number, tradeId, orderId, symbol, side, feeAsset, type, isWide] = row;
    const [amount = null, price = null, rpnl = null, fee = null] = isWide
      ? this.writtenFigures(number as number)
      : figures.map((_name, index) => this.figureAt(row, figuresAt + 2 * index));
    return {
      ...{ time: time as number, row: number as number, tradeId: tradeId as string },
      ...{ orderId: orderId as string | null, symbol: symbol as string },
      ...{ side: side as string | null, feeAsset: feeAsset as string | null },
      ...{ type: type as string | null, amount, price, rpnl, fee },
    };
  }

  private figureAt(row: TradeRow, index: number): bigint | null {
    const [high, low] = [row[index], row[index + 1]];
    if (typeof high !== 'number') return null;
    const integer = BigInt(high) * this.nano;
    return low ? integer + BigInt(low) * this.atto : integer;
  }

  private writtenFigures(row: number): (bigint | null)[] {
    const trade = JSON.parse(String(this.json.get(row)?.json)) as Trade;
    return figures.map((name) => {
      const text = trade[name];
      return text === null ? null : integerAt(amountOf(text), this.fraction);
    });
  }
}

/** Of the few numbers that are stored as text, some may have more decimals. */
function fractionOf(database: DatabaseSync): number {
  const rows = database
    .prepare('SELECT json FROM trades JOIN tradesJson USING (row) WHERE hasText = 1')
    .all()
    .map(({ json }) => JSON.parse(String(json)) as Trade);
  const numbers = rows.flatMap(({ amount, price, fee, rpnl }) => [amount, price, fee, rpnl]);
  return Math.max(leastFraction, mostDecimals(numbers.filter((number) => number !== null)));
}

function rowsOf(statement: StatementSync, values: readonly SQLInputValue[]): readonly TradeRow[] {
  return statement.all(...values) as unknown as readonly TradeRow[];
}

/** All rows in pieces, of which none ends between rows of the same time. */
function* slices(
  read: (from: number, limit: number) => readonly TradeRow[],
  start: number,
): Generator<readonly TradeRow[]> {
  let [from, limit] = [start, sliceSize];
  for (;;) {
    const rows = read(from, limit);
    if (rows.length < limit) {
      yield rows;
      return;
    }
    const last = Number(rows.at(-1)?.[0]);
    const end = rows.findLastIndex(([time]) => Number(time) < last) + 1;
    if (end === 0) limit *= 2;
    else {
      yield rows.slice(0, end);
      from = last;
    }
  }
}
