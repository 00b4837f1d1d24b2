/** With `--small`, every part runs with sizes that take seconds: CI starts each, and no time is held to a bar. */
export const isSmall = process.argv.includes('--small');

const size = (usual: number, small: number): number => (isSmall ? small : usual);

/** How much work each part does. */
export const sizes = {
  /** Orders that a cancel-all returns. */
  canceledOrders: size(20_000, 200),
  brokenRecords: size(100_000, 1000),
  exportRows: size(200_000, 3000),
  /** Trades in a ledger on disk. */
  ledgerTrades: size(500_000, 10_000),
  /** Trades in the ledger that an agent reads. */
  agentTrades: size(1_000_000, 10_000),
  /** Trades in the ledger of a window. */
  windowTrades: size(22_000, 6000),
  chartPoints: size(100_000, 2000),
  scrolledRows: size(100_000, 2000),
  /** How often each weight limiter fills its window. */
  limitWindows: size(4, 1),
  cancelAlls: size(50, 3),
  /** How often a time is taken whose median counts. */
  turns: size(5, 1),
  /** Extension hosts in which an activation is measured. */
  hosts: size(6, 2),
} as const;
