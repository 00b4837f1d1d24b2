import type { TableDescription, TablePage } from '../src/protocol/table.ts';
import { tablePage } from '../test/support/tablePage.ts';

const newestAt = 1_763_632_800_123;
const symbols = ['btc_usdt', 'eth_usdt'] as const;

/** The amount of a trade: no two have the same. */
export function amountOf(page: number, row: number): string {
  return `${page + 1}.${String(row + 1).padStart(6, '0')}`;
}

/** The sum of the amounts of one symbol on a first page of so many rows, in English. */
export function tradesTotal(rows: number, symbol: string): string {
  let millionths = 0n;
  for (let row = 0; row < rows; row += 1)
    if (symbolOf(row) === symbol) millionths += BigInt(amountOf(0, row).replace('.', ''));
  const digits = String(millionths).padStart(7, '0');
  const integer = BigInt(digits.slice(0, -6)).toLocaleString('en');
  return `${integer}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

function symbolOf(row: number): string {
  return symbols[row % symbols.length] ?? '';
}

function trade(page: number, row: number): Readonly<Record<string, string>> {
  const isGain = row % 3 === 0;
  return {
    time: String(newestAt - row * 61_001),
    symbol: symbolOf(row),
    side: isGain ? 'BUY' : 'SELL',
    amount: amountOf(page, row),
    price: row % 4 === 0 ? '61234.5' : '61234',
    rpnl: isGain ? '3.75' : '-1.25',
    fee: '0.000000000000000001',
    feeAsset: 'usdt',
    maker: String(isGain),
    type: 'ORDER_BOOK',
    tradeId: String(9_007_199_254_740_993n + BigInt(row)),
    orderId: '5000001',
  };
}

/** One of two pages of trades, as a host answers it. */
export function tradesPage(
  { columns }: TableDescription,
  page: number,
  pageRows: number,
): TablePage {
  const rows = Array.from({ length: pageRows }, (_, row) => {
    const record = trade(page, row);
    return columns.map(({ field }) => record[field] ?? null);
  });
  const totals = { totalPages: '2', totalElements: String(2 * pageRows) };
  return tablePage(rows, { id: page + 1, ...totals, readAt: newestAt });
}
