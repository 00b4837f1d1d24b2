import type { ParameterValues } from './dialect/dialect.ts';
import type { operations, OperationName } from './operations.ts';
import type { AccountType } from './records.ts';

type Parameters<Name extends OperationName> = ParameterValues<(typeof operations)[Name]>;

/**
 * A page of a history: `page` is counted from 0. The period is half-open, in epoch milliseconds:
 * `dateTo` is the first moment that is no longer asked for.
 */
type PageOf<Filters> = Omit<Filters, 'size'> & {
  readonly page: number;
  readonly size?: number | undefined;
};

/** Section 4.1: every filter of the order history. */
export type OrderQuery = PageOf<Parameters<'orders'>>;

/** Section 4.2: every filter of the trade history; `page` is always sent. */
export type TradeQuery = PageOf<Parameters<'trades'>>;

/** Section 4.3: every filter of the lot history; `page` is always sent. */
export type LotQuery = PageOf<Parameters<'lots'>>;

/** Section 4.4: every filter of the transaction history; the interface types `size` as text. */
export type TransactionQuery = PageOf<Parameters<'transactions'>> & {
  readonly accountType: AccountType;
};
