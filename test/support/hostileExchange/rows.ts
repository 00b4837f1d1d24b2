/** The four histories, under the names of their operations. */
export type HistoryName = 'orders' | 'trades' | 'lots' | 'transactions';

/** One record as the server keeps it. Time and id are written at the end, unless `json` has them. */
export type Row = {
  /** Epoch milliseconds, possibly with a fraction: sorts and filters the row. */
  readonly at: number;
  readonly id: bigint;
  /** Every other field as JSON text, written as it is: `'"BUY"'`, `'1E-7'`, `'-0'`, 30 digits, nonsense. */
  readonly json: Readonly<Record<string, string>>;
};

export type RowsOptions = {
  /** The time of the first row; the others are older. */
  readonly newestAt?: number;
  readonly spacingMs?: number;
  /** How many rows share a time. */
  readonly tied?: number;
  /** The id of the oldest row; each newer one has the next. */
  readonly firstId?: bigint;
  /** Fields that differ from the default, as JSON text, by the index of the row from the newest. */
  readonly fields?: (index: number) => Readonly<Record<string, string>>;
};

const text = (value: string): string => JSON.stringify(value);

const usual: Readonly<Record<HistoryName, Row['json']>> = {
  orders: {
    symbol: text('btc_usdt'),
    amount: '2',
    side: text('BUY'),
    price: '50000',
    clientOrderId: text('3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
    averageExecutionPrice: '49999.50',
    filled: '1',
    type: text('LIMIT'),
    status: text('EXECUTED'),
  },
  trades: {
    orderId: '7',
    symbol: text('btc_usdt'),
    amount: '0.5',
    price: '50000',
    side: text('SELL'),
    maker: 'true',
    fee: '-0.000000000000000001',
    rpnl: '-5.25',
    feeAsset: text('usdt'),
    type: text('ORDER_BOOK'),
  },
  lots: {
    symbol: text('btc_usdt'),
    side: text('SELL'),
    amount: '1.10',
    totalBids: '3',
    averageLiquidationPrice: '49000',
    marginCallPrice: '49500',
    discount: '0.01',
  },
  transactions: {
    transactionUuid: text('3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
    asset: text('usdt'),
    link: text('https://explorer.example/transactions/0a'),
    amount: '-5.25',
    type: text('FUNDING_FEE'),
  },
};

const idFields = {
  orders: 'orderId',
  trades: 'tradeId',
  lots: 'lotId',
  transactions: 'transactionId',
} as const satisfies Record<HistoryName, string>;

/** That many rows, newest first, equal times with the higher id first; one second apart by default. */
export function rowsOf(
  history: HistoryName,
  count: number,
  {
    newestAt = 1_700_000_000_000,
    spacingMs = 1000,
    tied = 1,
    firstId = 1n,
    fields,
  }: RowsOptions = {},
): Row[] {
  return Array.from({ length: count }, (_none, index) => ({
    at: newestAt - Math.floor(index / tied) * spacingMs,
    id: firstId + BigInt(count - 1 - index),
    json: fields ? { ...usual[history], ...fields(index) } : usual[history],
  }));
}

/** These rows with two more fields, whose order is another one each time that a row is sent. */
export function withUnorderedFields(rows: readonly Row[]): Row[] {
  return rows.map(({ at, id, json }) => {
    const orders = [
      { ...json, node: '1.0', zone: text('b') },
      { ...json, zone: text('b'), node: '1.0' },
    ] as const;
    let sent = 0;
    return {
      at,
      id,
      get json() {
        sent += 1;
        return orders[sent % 2 === 0 ? 0 : 1];
      },
    };
  });
}

/** The record as it is sent; `time` is JSON text. */
export function rowText(history: HistoryName, { id, json }: Row, time: string): string {
  const timeField = history === 'lots' ? 'updatedAt' : 'time';
  return objectText({ [idFields[history]]: String(id), [timeField]: time, ...json });
}

/** Fields of JSON text as one object's text. */
export function objectText(fields: Readonly<Record<string, string>>): string {
  const members = Object.entries(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${members.join(',')}}`;
}

/** An order as cancel-all returns it (section 2.2). */
export function canceledText({ id, json }: Row, time: string): string {
  const canceled = { ...usual.orders, ...json, status: text('CANCELED') };
  return objectText({ orderId: String(id), ...canceled, updatedAt: time });
}
