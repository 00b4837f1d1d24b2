import type { AuditedTrade } from './analysis.ts';
import { neighbourCount } from './feeRounding.ts';

/** The fees next to one in the same asset, the nearest first; fewer at the ends of what was read. */
export type FeesAround = { readonly before: readonly string[]; readonly after: readonly string[] };

/** A trade, whose neighbours can be asked for until the next one is. */
type Neighboured = { readonly trade: AuditedTrade; readonly around: () => FeesAround };

type OfAsset = {
  /** The fees before the first that waits, the nearest last. */
  readonly past: string[];
  /** Those of which not enough later ones are known. */
  readonly waiting: AuditedTrade[];
};

/** Trades that come oldest first, each once its neighbours are known. */
export function* neighboured(trades: Iterable<AuditedTrade>): Generator<Neighboured> {
  const byAsset = new Map<string, OfAsset>();
  for (const trade of trades) {
    const own = byAsset.get(trade.feeAsset) ?? { past: [], waiting: [] };
    byAsset.set(trade.feeAsset, own);
    own.waiting.push(trade);
    if (own.waiting.length > neighbourCount) yield* first(own);
  }
  for (const own of byAsset.values()) while (own.waiting.length > 0) yield* first(own);
}

function* first({ past, waiting }: OfAsset): Generator<Neighboured> {
  const trade = waiting.shift();
  if (!trade) return;
  yield {
    trade,
    around: () => ({ before: past.toReversed(), after: waiting.map(({ fee }) => fee) }),
  };
  past.push(trade.fee);
  if (past.length > neighbourCount) past.shift();
}
