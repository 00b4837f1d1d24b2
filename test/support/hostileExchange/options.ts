import type { OperationName } from '../../../src/api/operations.ts';
import type { Fault, FaultRule } from './faults.ts';
import type { EnforcedLimit } from './limit.ts';
import type { Reading } from './reading.ts';
import type { HistoryName, Row } from './rows.ts';
import type { SeenOperation } from './seen.ts';

export type HostileExchangeOptions = {
  readonly reading: Partial<Reading>;
  /** The rows of the histories at first; a number stands for that many of `rowsOf`. */
  readonly rows: Partial<Record<HistoryName, number | readonly Row[]>>;
  /** The orders that are open at first. The account shows them, cancel-all ends them. */
  readonly openOrders: readonly Row[];
  /** JSON text in place of the answers of these operations. */
  readonly answers: Partial<Record<OperationName, string>>;
  readonly faults: readonly FaultRule[];
  /** Chooses a fault if no rule holds. */
  readonly faultOf: (request: SeenOperation) => Fault | undefined;
  /** Called when a request arrives, before it is answered. */
  readonly onRequest: (request: SeenOperation) => void;
  /** The delay of a request, and of an answer. */
  readonly uplinkMs: () => number;
  readonly downlinkMs: () => number;
  /** How far `serverTime` and the header `Date` are ahead of ours. */
  readonly aheadMs: number;
  /** Its own clock; ours unless given. */
  readonly now: () => number;
  /** The limits in exchange information, as JSON text. */
  readonly rateLimits: string;
  readonly limit: EnforcedLimit;
};

export const minuteLimit = (weight: number): string =>
  `[{"rateLimitType":"HARD_LIMIT","interval":"MINUTE","intervalNum":1,"limit":${weight}}]`;
