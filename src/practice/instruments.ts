import Big from 'big.js';

/** What is traded here: a symbol of the interface document, section 2. */
export type Instrument = {
  readonly symbol: string;
  readonly baseAsset: string;
  /** Place in the list; part of every id of this instrument. */
  readonly index: number;
  /** The smallest difference between two prices. */
  readonly tick: Big;
  /** The smallest amount of a trade. */
  readonly lot: Big;
  /** The price around which the mark moves, in ticks. */
  readonly levelTicks: number;
};

/** The asset in which everything is quoted, margined and paid. */
export const marginAsset = 'usdt';

/**
 * An order's amount is a multiple of this many lots and fills in as many equal parts. It divides a
 * power of ten, so the mean of any fills ends two decimals beyond the tick and is never rounded.
 */
export const partsPerOrder = 20;

/** The instruments of the venue; an order of eth has 18 decimals, shib a price far below one. */
export const instruments: readonly Instrument[] = [
  instrument(0, 'btc', { tick: '0.1', lot: '0.00001', levelTicks: 642_511 }),
  instrument(1, 'eth', { tick: '0.01', lot: '0.00000000000000000005', levelTicks: 312_047 }),
  instrument(2, 'sol', { tick: '0.001', lot: '0.001', levelTicks: 148_200 }),
  instrument(3, 'xrp', { tick: '0.00005', lot: '0.05', levelTicks: 10_468 }),
  instrument(4, 'doge', { tick: '0.00001', lot: '0.5', levelTicks: 12_345 }),
  instrument(5, 'shib', { tick: '0.000000001', lot: '100', levelTicks: 12_345 }),
];

type Sizes = { tick: string; lot: string; levelTicks: number };

function instrument(index: number, baseAsset: string, sizes: Sizes): Instrument {
  return {
    index,
    baseAsset,
    symbol: `${baseAsset}_${marginAsset}`,
    tick: new Big(sizes.tick),
    lot: new Big(sizes.lot),
    levelTicks: sizes.levelTicks,
  };
}

/** Instrument by instrument, from the first again after the last. */
export function instrumentInTurn(turn: number): Instrument {
  const instrument = instruments.at(turn % instruments.length);
  if (!instrument) throw new RangeError(`No instrument has the turn ${turn}.`);
  return instrument;
}

export function instrumentOf(symbol: string): Instrument {
  const instrument = instruments.find((one) => one.symbol === symbol);
  if (!instrument) throw new RangeError(`No instrument has the symbol ${symbol}.`);
  return instrument;
}

/** The price around which the mark moves. */
export function levelPrice(instrument: Instrument): Big {
  return instrument.tick.times(instrument.levelTicks);
}

/** The tick that is nearest to `price`. */
export function onTick(instrument: Instrument, price: Big): Big {
  return price.div(instrument.tick).round(0, Big.roundHalfEven).times(instrument.tick);
}

/** The largest amount an order can have that is not above `amount`; at least the smallest one. */
export function orderAmount(instrument: Instrument, amount: Big): Big {
  const smallest = instrument.lot.times(partsPerOrder);
  const whole = amount.div(smallest).round(0, Big.roundDown).times(smallest);
  return whole.gt(smallest) ? whole : smallest;
}

/** Decimals of a base price: four beyond those of the tick. */
export function basePriceDecimals(instrument: Instrument): number {
  return (instrument.tick.toFixed().split('.')[1] ?? '').length + 4;
}
