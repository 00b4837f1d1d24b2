import type { OperationName } from '../../../src/exchange/operations.ts';
import type { Fault, FaultRule } from './faults.ts';
import type { EnforcedLimit } from './limit.ts';
import type { Reading } from './reading.ts';
import type { HistoryName, Row } from './rows.ts';
import type { SeenOperation } from './seen.ts';

export type HostileExchangeOptions = {
  readonly reading: Partial<Reading>;
  /** What the histories hold at first; a number asks for so many of `rowsOf`. */
  readonly rows: Partial<Record<HistoryName, number | readonly Row[]>>;
  /** The orders that are open at first. The account shows them, cancel-all ends them. */
  readonly openOrders: readonly Row[];
  /** JSON text in place of what these operations answer. */
  readonly answers: Partial<Record<OperationName, string>>;
  readonly faults: readonly FaultRule[];
  /** Chooses a fault where no rule holds. */
  readonly faultOf: (request: SeenOperation) => Fault | undefined;
  /** Called with each request when it arrives, before it is answered: moves rows, notes the time. */
  readonly onRequest: (request: SeenOperation) => void;
  /** How long a request, and an answer, are on their way. */
  readonly uplinkMs: () => number;
  readonly downlinkMs: () => number;
  /** How far `serverTime` and the header `Date` are ahead of ours. */
  readonly aheadMs: number;
  /** Whether answers carry the header `Date`. */
  readonly hasDate: boolean;
  /** What exchange information tells of limits, as JSON text. */
  readonly rateLimits: string;
  readonly limit: EnforcedLimit;
  /** The header that tells the weight that was used in the limit's window, or in a minute. */
  readonly usedWeightHeader: string;
  /** What others spent in that window. */
  readonly othersWeight: () => number;
  /** Headers, by lower-case name, without which a protected operation answers 401. */
  readonly required: readonly string[];
  /** A signed request whose `timestamp` is further away from the server's time is refused. */
  readonly timestampWindowMs: number;
};

export const minuteLimit = (weight: number): string =>
  `[{"rateLimitType":"HARD_LIMIT","interval":"MINUTE","intervalNum":1,"limit":${weight}}]`;
