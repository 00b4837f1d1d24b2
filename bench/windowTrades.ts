const visibleRows = 20;

/** No two trades have the same amount. Each column has another order. */
export function tradeFields(row: number) {
  return {
    symbol: JSON.stringify(['btc_usdt', 'eth_usdt', 'sol_usdt'][row % 3]),
    side: JSON.stringify(row % 2 === 0 ? 'BUY' : 'SELL'),
    amount: `1.${String((row * 7919) % 1_000_000).padStart(6, '0')}5`,
    price: `${50_000 + ((row * 31) % 977)}.${row % 100}`,
    rpnl: row % 5 === 0 ? `-1.${(row * 13) % 10_007}` : `0.${row % 71}`,
    fee: `-0.000${(row * 31) % 100_000}`,
    maker: String(row % 7 === 0),
    orderId: String(5_000_000 + ((row * 17) % 9973)),
  };
}

type Row = ReturnType<typeof tradesIn>[number];

/** Newest first. */
export function tradesIn(count: number) {
  return Array.from({ length: count }, (_none, row) => ({
    ...tradeFields(row),
    tradeId: String(count - row),
  }));
}

/** The first amounts of a page, newest first. */
export function amountsOf(page: number, pageRows: number): string[] {
  return Array.from(
    { length: visibleRows },
    (_none, row) => tradeFields(page * pageRows + row).amount,
  );
}

/** The first amounts of the trades whose id begins so. */
export function rowsWith(rows: readonly Row[], begin: string): string[] {
  const found = rows.filter(({ tradeId }) => tradeId.startsWith(begin));
  return found.slice(0, visibleRows).map(({ amount }) => amount);
}

/** The amounts of the first rows in an order. */
export function firstAmounts(rows: readonly Row[], field: keyof Row, direction: 1 | -1): string[] {
  const isNumber = !Number.isNaN(Number(rows[0]?.[field]));
  const before = (one: string, other: string): number =>
    isNumber ? Number(one) - Number(other) : Number(one > other) - Number(one < other);
  // From the oldest on, as rows with equal values are.
  const inOrder = rows.toReversed().sort((one, other) => before(one[field], other[field]));
  const from = direction > 0 ? inOrder : inOrder.toReversed();
  return from.slice(0, visibleRows).map(({ amount }) => amount);
}
