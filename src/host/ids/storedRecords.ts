import { cleanText } from '../../base/cleanText.ts';
import { negated, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Order, Trade, Transaction } from '../../exchange/records.ts';
import type { FeeSign } from '../../ledger/ledger.ts';
import type { RelatedStoredRecords, StoredRecord } from '../../ledger/relatedRecords.ts';
import { t } from '../shared/translate.ts';

const nothing = '';

/** The record of an id in one line, for the tooltip of a link. */
export function recordLine({ record }: StoredRecord, display: Display): string {
  const time = display.time('updatedAt' in record ? record.updatedAt : record.time);
  const amount = display.figure('amount', record.amount);
  const parts =
    'transactionId' in record
      ? [record.type, `${amount} ${record.asset}`]
      : 'tradeId' in record
        ? [t('Trade'), record.symbol, sideText(record, amount)]
        : 'lotId' in record
          ? [record.symbol, sideText(record, amount)]
          : [t('Order'), record.symbol, sideText(record, amount), record.status];
  return [...parts, time].map((part) => cleanText(orUnknown(part), 60)).join(' · ');
}

function orUnknown(text: string | null): string {
  return text ?? unknownText;
}

function sideText({ side }: Pick<Trade, 'side'>, amount: string): string {
  return `${orUnknown(side)} ${amount}`;
}

/** The columns of a hover's table. */
export function relatedColumns(related: readonly RelatedStoredRecords[]): readonly string[] {
  return recordColumns(related.some((each) => each.tradeCount > 0 && each.feeSign === null));
}

/** Those of `recordRow`. */
export function recordColumns(isSent: boolean): readonly string[] {
  return [t('Record'), t('Time'), t('Amount'), t('Price'), isSent ? t('Fee as sent') : t('Fee')];
}

/** A row for the order, each trade, the sum of the fees, and each transaction. */
export function relatedRows(
  related: RelatedStoredRecords,
  display: Display,
): readonly (readonly string[])[] {
  const { order, trades, tradeCount, fees, feeSign, transactions } = related;
  const feeOf = (fee: NumberText | null): string => feeText(fee, feeSign, display);
  const omitted = tradeCount - trades.length;
  return [
    ...(order ? [orderRow(order, display)] : []),
    ...trades.map((trade) => tradeRow(trade, feeOf(trade.fee), display)),
    ...(omitted > 0 ? [[omittedText(omitted, display), nothing, nothing, nothing, nothing]] : []),
    ...(tradeCount > 1 ? fees.sums : []).map(({ sum, lacking, unit }) => {
      const fee = `${feeOf(lacking > 0 ? null : sum)} ${unit ?? nothing}`;
      const label = feesText(fees.ofTrades, tradeCount, display);
      return [label, nothing, nothing, nothing, fee];
    }),
    ...transactions.map(({ record }) => transactionRow(record, display)),
  ];
}

export function recordRow(
  { record }: StoredRecord,
  feeSign: FeeSign,
  display: Display,
): readonly string[] {
  if ('transactionId' in record) return transactionRow(record, display);
  if ('tradeId' in record) return tradeRow(record, feeText(record.fee, feeSign, display), display);
  return 'lotId' in record ? [] : orderRow(record, display);
}

/** What was paid is positive if the sign of fees is known. */
function feeText(fee: NumberText | null, feeSign: FeeSign, display: Display): string {
  return display.figure('fee', fee !== null && feeSign === 'negative' ? negated(fee) : fee);
}

function orderRow(order: Order, display: Display): readonly string[] {
  const { orderId, symbol, side, status, time, filled, amount } = order;
  const price = order.averageExecutionPrice ?? order.price;
  return [
    [`${t('Order')} ${orderId}`, symbol, side, status].map(orUnknown).join(' · '),
    display.time(time),
    t('{0} of {1}', display.figure('filled', filled), display.figure('amount', amount)),
    price === null ? unknownText : display.figure('averageExecutionPrice', price),
    nothing,
  ];
}

function tradeRow(trade: Trade, fee: string, display: Display): readonly string[] {
  const { tradeId, symbol, side, maker, time, amount, price, feeAsset } = trade;
  const role = maker ? t('maker') : t('taker');
  return [
    [`${t('Trade')} ${tradeId}`, symbol, side, maker === null ? null : role]
      .map(orUnknown)
      .join(' · '),
    display.time(time),
    display.figure('amount', amount),
    display.figure('price', price),
    `${fee} ${feeAsset ?? nothing}`,
  ];
}

function transactionRow(transaction: Transaction, display: Display): readonly string[] {
  const { type, transactionId, time, amount, asset } = transaction;
  const figure = `${display.signedFigure('amount', amount)} ${asset}`;
  return [`${type} ${transactionId}`, display.time(time), figure, nothing, nothing];
}

function feesText(listed: number, tradeCount: number, display: Display): string {
  const [counted, all] = [display.count(listed), display.count(tradeCount)];
  return listed === tradeCount
    ? t('Fees of {0} trades', all)
    : t('Fees of {0} of {1} trades; the exchange no longer lists the others', counted, all);
}

function omittedText(count: number, display: Display): string {
  return count === 1 ? t('and 1 more trade') : t('and {0} more trades', display.count(count));
}
