import { botFields, type BotBook, type BotField } from './comparison.ts';
import { parseBotTime } from './botValues.ts';
import { BotFileError } from './fileCopy.ts';
import type { Table, TableRow } from './tables.ts';

/** The column of each field; a field without one is not compared. */
export type BotMapping = Readonly<Partial<Record<BotField, string>>>;

/** How programs name their columns, without signs and in lower case; the first that is there counts. */
const usualNames: Readonly<Record<BotField, readonly string[]>> = {
  tradeId: ['tradeid', 'exchangetradeid', 'fillid', 'execid', 'executionid', 'tradeno'],
  orderId: ['orderid', 'exchangeorderid', 'order', 'orderno', 'ordernumber'],
  clientOrderId: ['clientorderid', 'clordid', 'clientoid', 'clientid', 'cloid', 'usertag'],
  symbol: ['symbol', 'pair', 'market', 'instrument', 'tradingpair', 'instid', 'ticker'],
  side: ['side', 'tradetype', 'direction', 'buysell', 'action'],
  amount: ['amount', 'filled', 'quantity', 'qty', 'size', 'baseamount', 'volume', 'executed'],
  price: ['price', 'average', 'avgprice', 'averageprice', 'rate', 'fillprice', 'executedprice'],
  fee: ['fee', 'feecost', 'feeamount', 'commission', 'fees', 'tradefee'],
  feeAsset: ['feeasset', 'feecurrency', 'commissionasset', 'feecoin', 'feeccy', 'feetoken'],
  time: [
    'time',
    'timestamp',
    'datetime',
    'date',
    'executedat',
    'createdat',
    'tradetime',
    'updatedat',
  ],
  pnl: ['pnl', 'rpnl', 'realizedpnl', 'realisedpnl', 'profit', 'realizedprofit', 'closedpnl'],
};

export function guessMapping(columns: readonly string[]): BotMapping {
  const byName = new Map(
    columns.map((column) => [column.toLowerCase().replaceAll(/[^a-z]/g, ''), column]),
  );
  return Object.fromEntries(
    botFields.flatMap((field) => {
      const name = usualNames[field].find((usual) => byName.has(usual));
      return name === undefined ? [] : [[field, byName.get(name)]];
    }),
  );
}

/** Without these, no row can be compared. */
export function isUsable({
  tradeId,
  orderId,
  clientOrderId,
  symbol,
  time,
  amount,
}: BotMapping): boolean {
  const hasId = (tradeId ?? orderId ?? clientOrderId) !== undefined;
  return amount !== undefined && (hasId || (symbol !== undefined && time !== undefined));
}

export function mappedBook({ name, columns, key, rows }: Table, mapping: BotMapping): BotBook {
  const names = Object.values(mapping);
  if (!isUsable(mapping) || names.some((column) => !columns.includes(column)))
    throw new BotFileError('changed');
  const valueOf = ({ values }: TableRow, field: BotField): string | null => {
    const column = mapping[field];
    const value = column === undefined ? null : (values[column] ?? null);
    return value === '' ? null : value;
  };
  const mapped = [...rows()].map((row) => {
    const fields = botFields.map((field) => [field, valueOf(row, field)] as const);
    const values = Object.fromEntries(fields) as Record<BotField, string | null>;
    return { ...values, place: { table: name, key, id: row.id }, at: parseBotTime(values.time) };
  });
  return { bot: null, rows: mapped, placed: [], funding: null, positions: [], decimals: null };
}
