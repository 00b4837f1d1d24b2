import Big from 'big.js';

export const sides = ['BUY', 'SELL'] as const;
export type Side = (typeof sides)[number];

/** A symbol that is traded here (section 2 of the API document). */
export type Instrument = {
  readonly symbol: string;
  readonly baseAsset: string;
  /** The place in the list, which is a part of every id of this instrument. */
  readonly index: number;
  /** The smallest difference between two prices. */
  readonly tickSize: Big;
  /** The smallest amount of a trade. */
  readonly lotSize: Big;
  /** The price around which the mark price moves, in ticks. */
  readonly referenceTicks: number;
};

/** The asset of every quote, margin and fee. */
export const marginAsset = 'usdt';

/**
 * An order's amount is a multiple of this many lots, and each fill is some of these equal parts. The
 * number divides a power of ten, so an average price needs at most two decimals more than the tick.
 */
export const partsPerOrder = 20;

/** Prices of shib are far below one. */
const listed = [
  { baseAsset: 'btc', tickSize: '0.1', lotSize: '0.00001', referenceTicks: 642_511 },
  { baseAsset: 'eth', tickSize: '0.01', lotSize: '0.00005', referenceTicks: 312_047 },
  { baseAsset: 'sol', tickSize: '0.001', lotSize: '0.001', referenceTicks: 148_200 },
  { baseAsset: 'xrp', tickSize: '0.00005', lotSize: '0.05', referenceTicks: 10_468 },
  { baseAsset: 'doge', tickSize: '0.00001', lotSize: '0.5', referenceTicks: 12_345 },
  { baseAsset: 'shib', tickSize: '0.000000001', lotSize: '100', referenceTicks: 12_345 },
] as const;

export const instruments: readonly Instrument[] = listed.map((one, index) => ({
  ...one,
  index,
  symbol: `${one.baseAsset}_${marginAsset}`,
  tickSize: new Big(one.tickSize),
  lotSize: new Big(one.lotSize),
}));

/** The instrument at this place; counting starts again after the last. */
export function instrumentAt(place: number): Instrument {
  const instrument = instruments.at(place % instruments.length);
  if (!instrument) throw new RangeError(`There is no instrument at ${place}.`);
  return instrument;
}

export function instrumentOf(symbol: string): Instrument {
  const instrument = instruments.find((one) => one.symbol === symbol);
  if (!instrument) throw new RangeError(`No instrument has the symbol ${symbol}.`);
  return instrument;
}

/** The price around which the mark price moves. */
export function referencePrice(instrument: Instrument): Big {
  return instrument.tickSize.times(instrument.referenceTicks);
}

export function roundToTick(instrument: Instrument, price: Big): Big {
  return price.div(instrument.tickSize).round(0, Big.roundHalfEven).times(instrument.tickSize);
}

/** `amount` rounded down to what an order can have, or the smallest order. */
export function roundOrderAmount(instrument: Instrument, amount: Big): Big {
  const smallest = instrument.lotSize.times(partsPerOrder);
  const whole = amount.div(smallest).round(0, Big.roundDown).times(smallest);
  return whole.gt(smallest) ? whole : smallest;
}

/** The decimals of a base price: four more than the tick has. */
export function basePriceDecimals(instrument: Instrument): number {
  return (instrument.tickSize.toFixed().split('.')[1] ?? '').length + 4;
}

/** How many ids an instrument has in one millisecond. */
export const idsPerMs = 100_000;

/**
 * An id of 19 digits (above 2^53) that grows with time: the milliseconds since the Unix epoch, the
 * instrument, then `low`, which is below `idsPerMs`.
 */
export function idAt(time: number, instrument: Instrument, low: number): bigint {
  return BigInt(time) * 1_000_000n + BigInt(instrument.index * idsPerMs + low);
}
