import { instruments, marginAsset, type Instrument } from './instruments.ts';

/** Section 2.7 of the interface document. */
export function exchangeInformation(serverTime: number, weightLimit: number) {
  return {
    rateLimits: [
      { intervalNum: 1, limit: weightLimit, interval: 'MINUTE', rateLimitType: 'HARD_LIMIT' },
    ],
    timezone: 'UTC',
    serverTime,
    symbols: instruments.map(symbolInformation),
  };
}

function symbolInformation({ symbol, baseAsset }: Instrument) {
  return {
    symbol,
    marginAsset,
    baseAsset: baseAsset.toUpperCase(),
    pair: `${baseAsset}/${marginAsset}`.toUpperCase(),
    quoteAsset: marginAsset,
    status: 'TRADING',
  };
}
