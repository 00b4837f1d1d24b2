import { botFields, type BotBook, type BotField, type BotRow } from './comparison.ts';
import { botFigure, parseBotTime, sharedTexts } from './botValues.ts';
import type { Table } from './tables.ts';

/** The column of each field; a field without one is not compared. */
export type BotMapping = Readonly<Partial<Record<BotField, string>>>;

/** How programs name their columns, without signs and in lower case. The first that is there counts: filled before asked. */
const usualNames: Readonly<Record<BotField, readonly string[]>> = {
  tradeId: ['tradeid', 'exchangetradeid', 'fillid', 'execid', 'executionid', 'tradeno'],
  orderId: ['orderid', 'exchangeorderid', 'order', 'orderno', 'ordernumber'],
  clientOrderId: ['clientorderid', 'clordid', 'clientoid', 'clientid', 'cloid', 'usertag'],
  symbol: ['symbol', 'pair', 'market', 'instrument', 'tradingpair', 'instid', 'ticker'],
  side: ['side', 'tradetype', 'direction', 'buysell', 'action'],
  amount: ['filled', 'executed', 'quantity', 'qty', 'amount', 'size', 'baseamount', 'volume'],
  price: ['average', 'avgprice', 'averageprice', 'fillprice', 'executedprice', 'price', 'rate'],
  fee: ['fee', 'feecost', 'feeamount', 'commission', 'fees'],
  feeAsset: ['feeasset', 'feecurrency', 'commissionasset', 'feecoin', 'feeccy', 'feetoken'],
  time: ['time', 'timestamp', 'datetime', 'date', 'dateutc', 'timeutc', 'executedat', 'createdat'],
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

/** Of a query that names its columns as fields. */
export const namedAsFields: BotMapping = Object.fromEntries(
  botFields.map((field) => [field, field]),
);

const figureFields = ['amount', 'price', 'fee', 'pnl'] as const;

/** How programs write that there is no figure. */
const noFigure = /^\s*(?:null|none|nan)?\s*$/i;

/** A row with a figure that is no number cannot be read. */
export function bookRows(
  { name, columns, rows: tableRows }: Table,
  mapping: BotMapping,
): Pick<BotBook, 'rows' | 'unreadRows'> {
  const places = Object.fromEntries(
    botFields.map((field) => [field, columns.findIndex((column) => column === mapping[field])]),
  ) as Record<BotField, number>;
  const accountAt = columns.indexOf('account');
  const shared = sharedTexts();
  const rows: BotRow[] = [];
  let unreadRows = 0;
  for (const row of tableRows()) {
    const value = (field: BotField): string | null => {
      const text = row?.values[places[field]]?.trim() ?? '';
      return text === '' ? null : text;
    };
    const isUnreadable = (field: BotField): boolean => {
      const text = value(field);
      if (text === null || botFigure(text) !== null) return false;
      return field === 'amount' || !noFigure.test(text);
    };
    if (!row || figureFields.some(isUnreadable)) {
      unreadRows += 1;
      continue;
    }
    const time = parseBotTime(value('time'));
    const account = row.values[accountAt] ?? null;
    // Some write numbers as floats.
    const id = (field: BotField): string | null => value(field)?.replace(/\.0$/, '') ?? null;
    rows.push({
      ...{ orderId: id('orderId'), clientOrderId: id('clientOrderId') },
      ...{ tradeId: id('tradeId'), symbol: shared(value('symbol')) },
      ...{ side: shared(value('side')), amount: value('amount'), price: value('price') },
      ...{ fee: value('fee'), feeAsset: shared(value('feeAsset')), pnl: value('pnl') },
      ...{ place: { table: name, id: row.id }, account: shared(account) },
      timeMs: time?.ms ?? null,
      isNaive: time?.isNaive ?? false,
    });
  }
  return { rows: rows.some(isNegative) ? rows.map(withSideOfSign) : rows, unreadRows };
}

function isNegative({ amount }: BotRow): boolean {
  return /^\s*-/.test(amount ?? '');
}

/** Some write what was sold below zero, with a side or without one. */
function withSideOfSign(row: BotRow): BotRow {
  const side = row.side ?? (isNegative(row) ? 'sell' : 'buy');
  return { ...row, side, amount: row.amount?.replace(/^\s*-/, '') ?? null };
}
