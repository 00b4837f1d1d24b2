import { sign } from '../base/decimal.ts';
import type { Position } from '../exchange/records.ts';

/** What a position is known by from one read to the next: a symbol may hold several, of other modes and directions. */
export function positionKey({
  symbol,
  marginMode,
  amount,
}: Pick<Position, 'symbol' | 'marginMode' | 'amount'>): string {
  return JSON.stringify([symbol, marginMode, sign(amount)]);
}
