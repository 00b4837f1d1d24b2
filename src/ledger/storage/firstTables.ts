/** A number is stored in three columns, see `numberKey`. */
const number = (field: string): string =>
  `${field} INTEGER, ${field}Nano INTEGER, ${field}Atto INTEGER`;

const transactions = {
  ids: ['transactionId'],
  references: ['transactionUuid', 'link'],
  columns: [
    'transactionId INTEGER, time INTEGER, transactionUuid TEXT, asset TEXT, link TEXT',
    number('amount'),
    'type TEXT',
  ],
};

/**
 * The tables of version 1, by history; the first of `ids` is the record's. They never change: there are files
 * that have them. A field that is new since then gets its column in a migration of its own.
 */
export const firstTables = {
  orders: {
    ids: ['orderId'],
    references: ['clientOrderId'],
    columns: [
      'orderId INTEGER, time INTEGER, symbol TEXT, side TEXT, clientOrderId TEXT, type TEXT, status TEXT',
      ...['amount', 'price', 'averageExecutionPrice', 'filled'].map(number),
    ],
  },
  trades: {
    ids: ['tradeId', 'orderId'],
    references: [],
    columns: [
      'tradeId INTEGER, time INTEGER, orderId INTEGER, symbol TEXT, side TEXT, maker INTEGER',
      'feeAsset TEXT, type TEXT',
      ...['amount', 'price', 'fee', 'rpnl'].map(number),
    ],
  },
  lots: {
    ids: ['lotId'],
    references: [],
    columns: [
      'lotId INTEGER, time INTEGER, symbol TEXT, side TEXT',
      ...['amount', 'totalBids', 'averageLiquidationPrice', 'marginCallPrice', 'discount'].map(
        number,
      ),
    ],
  },
  futureTransactions: transactions,
  spotTransactions: transactions,
} as const;

/** The figures that are added up. An order without a limit has no price, so prices of orders are not among them. */
const summedFigures: Readonly<Record<keyof typeof firstTables, readonly string[]>> = {
  orders: ['amount', 'filled'],
  trades: ['amount', 'price', 'fee', 'rpnl'],
  lots: ['amount'],
  futureTransactions: ['amount'],
  spotTransactions: ['amount'],
};

/** The condition of rows that lack such a figure. They have an index, which is found by this text. */
export function lacksFigure(history: keyof typeof firstTables): string {
  return summedFigures[history].map((field) => `${field} IS NULL`).join(' OR ');
}
