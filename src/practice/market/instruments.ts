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

/** The listed instruments. Amounts of eth have 18 decimals, and prices of shib are far below one. */
export const instruments: readonly Instrument[] = [
  instrument(0, 'btc', { tickSize: '0.1', lotSize: '0.00001', referenceTicks: 642_511 }),
  instrument(1, 'eth', {
    tickSize: '0.01',
    lotSize: '0.00000000000000000005',
    referenceTicks: 312_047,
  }),
  instrument(2, 'sol', { tickSize: '0.001', lotSize: '0.001', referenceTicks: 148_200 }),
  instrument(3, 'xrp', { tickSize: '0.00005', lotSize: '0.05', referenceTicks: 10_468 }),
  instrument(4, 'doge', { tickSize: '0.00001', lotSize: '0.5', referenceTicks: 12_345 }),
  instrument(5, 'shib', { tickSize: '0.000000001', lotSize: '100', referenceTicks: 12_345 }),
];

type Sizes = { tickSize: string; lotSize: string; referenceTicks: number };

function instrument(index: number, baseAsset: string, sizes: Sizes): Instrument {
  return {
    index,
    baseAsset,
    symbol: `${baseAsset}_${marginAsset}`,
    tickSize: new Big(sizes.tickSize),
    lotSize: new Big(sizes.lotSize),
    referenceTicks: sizes.referenceTicks,
  };
}

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
