import {
  absolute,
  compare,
  difference,
  fractionDigits,
  isSame,
  isZero,
  negated,
  product,
  quotient,
  sign,
  sum,
  type NumberText,
} from '../../base/decimal.ts';
import { minuteMs, secondMs } from '../../base/time.ts';
import { botFigure, ratioKey } from './botValues.ts';
import type { BotBook, BotRow, BotSymbol, ComparisonChoices, Conventions } from './comparison.ts';
import type { Fills } from './fills.ts';
import { zoneStepMs, type Matches } from './matching.ts';

/** How the bot writes what the exchange writes in another way: what most rows show. */
export type FoundConventions = Conventions & {
  readonly multiplierOf: (row: BotRow) => NumberText;
  /** The exchange's P&L less its fee; null if one of them is not known. */
  readonly netPnlOf: (fills: Fills) => NumberText | null;
  /** Whether other symbols have this multiplier, or it is a power of ten. */
  readonly isMultiplier: (ratio: NumberText) => boolean;
  /** In milliseconds; null if it is not known what the row's should be. */
  readonly offsetOf: (index: number) => number;
};

/** A multiplier is what rows show that are not the exception of their symbol. */
const leastRows = 3;

type Pair = { readonly index: number; readonly row: BotRow; readonly fills: Fills };

export function findConventions(
  { rows, positions }: BotBook,
  { fills }: Matches,
  choices: ComparisonChoices,
): FoundConventions {
  const pairs = rows.flatMap((row, index) => {
    const own = fills[index];
    return own ? [{ row, index, fills: own }] : [];
  });
  const symbols = findSymbols(rows, pairs, choices);
  const multipliers = new Map(symbols.map(({ botSymbol, multiplier }) => [botSymbol, multiplier]));
  const offsets = findOffsets(rows, pairs, choices);
  const feesAreNegated = mostAre(pairs, feesAreOpposite);
  // A bot that keeps positions writes a paid fee above zero.
  const paidIsNegative = positions.length > 0 ? feesAreNegated : mostAre(pairs, addsFee);
  return {
    symbols,
    offsets: [...offsets.counts].map(([ms, count]) => ({ minutes: ms / minuteMs, rows: count })),
    feesAreNegated,
    pnlIsNet: mostAre(pairs, pnlIsNet),
    netPnlOf: (fills) => (paidIsNegative ? pnlWithFee(fills) : pnlWithoutFee(fills)),
    multiplierOf: ({ symbol }) => multipliers.get(symbol ?? '') ?? '1',
    isMultiplier: (ratio) =>
      /^(?:10+|0\.0*1)$/.test(ratio) ||
      (ratio !== '1' && [...multipliers.values()].some((each) => isSame(each, ratio))),
    offsetOf: offsets.offsetOf,
  };
}

function findSymbols(
  rows: readonly BotRow[],
  pairs: readonly Pair[],
  { symbols: chosen }: ComparisonChoices,
): Conventions['symbols'] {
  const bySymbol = Map.groupBy(pairs, ({ row }) => row.symbol ?? '');
  // Also those of which no row was matched: a person may know them.
  const written = new Set([...bySymbol.keys(), ...rows.flatMap(({ symbol }) => symbol ?? [])]);
  return [...written].map((botSymbol) => {
    const own = bySymbol.get(botSymbol) ?? [];
    const symbol = mostFrequent(own.map(({ fills }) => fills.first.symbol)) ?? '';
    const set: BotSymbol | undefined = Object.hasOwn(chosen, botSymbol)
      ? chosen[botSymbol]
      : undefined;
    const multiplier = set?.multiplier ?? usualRatio(own);
    return { botSymbol, symbol, multiplier, rows: own.length };
  });
}

/** The exchange's amount for 1 of the bot's, in more than half of the rows. */
function usualRatio(pairs: readonly Pair[]): NumberText {
  const ratios = pairs.flatMap(({ row, fills }) => {
    const amount = botFigure(row.amount);
    return amount === null || fills.amount === null || isZero(amount)
      ? []
      : [ratioKey(fills.amount, amount)];
  });
  const usual = mostFrequent(ratios);
  const count = ratios.filter((each) => each === usual).length;
  if (usual === undefined || count < leastRows || 2 * count <= ratios.length) return '1';
  return quotient(usual, '1');
}

type Offsets = {
  readonly offsetOf: (index: number) => number;
  readonly counts: ReadonlyMap<number, number>;
};

/** Rows before and after one that show its zone: clocks may change in a book. */
const neighbours = 5;

function findOffsets(
  rows: readonly BotRow[],
  pairs: readonly Pair[],
  { offsetMinutes }: ComparisonChoices,
): Offsets {
  const byTime = pairs.toSorted((one, other) => one.fills.firstTime - other.fills.firstTime);
  const own = byTime.map(({ row, fills }) => offsetIn(row, fills));
  const usual = mostFrequent(own.filter((offset) => offset !== null)) ?? 0;
  const near = new Map<number, number>();
  for (const [place, { index }] of byTime.entries()) {
    const around = own.slice(Math.max(0, place - neighbours), place + neighbours + 1);
    near.set(index, mostFrequent(around.filter((offset) => offset !== null)) ?? usual);
  }
  const offsetOf = (index: number): number => {
    const isNaive = rows[index]?.at?.isNaive === true;
    if (offsetMinutes !== null && isNaive) return offsetMinutes * minuteMs;
    return near.get(index) ?? usual;
  };
  const counts = new Map<number, number>();
  for (const offset of near.values()) counts.set(offset, (counts.get(offset) ?? 0) + 1);
  return { offsetOf, counts };
}

/** A bot notes a fill at once, or later: then its time says nothing of its zone. */
const promptMs = 10 * secondMs;

/** How far the row's time is ahead, if it is a zone that explains it; null if it is not known. */
export function offsetIn({ at }: BotRow, { firstTime, lastTime }: Fills): number | null {
  const ms = at?.ms;
  if (ms === undefined) return null;
  const steps = [firstTime, lastTime].map((end) => Math.round((ms - end) / zoneStepMs));
  const offset = steps
    .map((step) => step * zoneStepMs)
    .find((each) => firstTime - promptMs <= ms - each && ms - each <= lastTime + promptMs);
  // Not -0.
  return offset === undefined ? null : offset + 0;
}

/** Whether most of the pairs that show it do; undefined shows nothing. */
function mostAre(pairs: readonly Pair[], shows: (pair: Pair) => boolean | undefined): boolean {
  const votes = pairs.map(shows);
  const count = (wanted: boolean): number => votes.filter((vote) => vote === wanted).length;
  return count(true) > count(false);
}

function feesAreOpposite({ row, fills }: Pair): boolean | undefined {
  const fee = botFigure(row.fee);
  if (fee === null || fills.fee === null || isZero(fee)) return undefined;
  if (closeness(absolute(fee), absolute(fills.fee)) === 'other') return undefined;
  return sign(fee) !== sign(fills.fee);
}

function pnlIsNet({ row, fills }: Pair): boolean | undefined {
  if (fills.fee === null || isZero(fills.fee)) return undefined;
  const isNet = [pnlWithoutFee(fills), pnlWithFee(fills)].some((net) => isPnlOf(row, net));
  return isNet || isPnlOf(row, fills.pnl) ? isNet : undefined;
}

/** Undefined if the row is not net. */
function addsFee({ row, fills }: Pair): boolean | undefined {
  const isSum = isPnlOf(row, pnlWithFee(fills));
  return isSum === isPnlOf(row, pnlWithoutFee(fills)) ? undefined : isSum;
}

function isPnlOf({ pnl }: BotRow, exchange: NumberText | null): boolean {
  const written = botFigure(pnl);
  return written !== null && exchange !== null && closeness(written, exchange) !== 'other';
}

function pnlWithFee({ pnl, fee }: Fills): NumberText | null {
  return pnl === null || fee === null ? null : sum([pnl, fee]);
}

function pnlWithoutFee({ pnl, fee }: Fills): NumberText | null {
  return pnl === null || fee === null ? null : difference(pnl, fee);
}

function mostFrequent<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: Value | undefined;
  for (const [value, count] of counts) if (count > (counts.get(best as Value) ?? 0)) best = value;
  return best;
}

/** How near a figure of the bot is to the exchange's. */
type Closeness = 'same' | 'noise' | 'rounded' | 'other';

/** What adding and dividing floats may lose. */
const floatNoise = '1e-12';

/** With `decimals`, the bot's file keeps no more of them, and cuts off the rest. Each of the `terms` may be rounded. */
export function closeness(
  bot: NumberText,
  exchange: NumberText,
  decimals: number | null = null,
  terms = 1,
): Closeness {
  if (isSame(bot, exchange)) return 'same';
  const error = absolute(difference(bot, exchange));
  const size = compare(absolute(exchange), '0.001') < 0 ? '0.001' : absolute(exchange);
  if (compare(error, product(size, floatNoise)) <= 0) return 'noise';
  if (decimals !== null && compare(error, `1e-${decimals}`) < 0) return 'noise';
  return isRounded(bot, exchange, quotient(error, String(terms))) ? 'rounded' : 'other';
}

/** To nearest, or toward zero. */
function isRounded(bot: NumberText, exchange: NumberText, error: NumberText): boolean {
  const digits = fractionDigits(bot);
  if (isZero(bot) || digits >= fractionDigits(exchange)) return false;
  const isCut = compare(absolute(bot), absolute(exchange)) < 0;
  return compare(error, product(isCut ? '1' : '0.5', `1e-${digits}`)) <= 0;
}

/** Whether the bot wrote the figure with the other sign. */
export function isOpposite(bot: NumberText, exchange: NumberText): boolean {
  return (
    !isZero(bot) && closeness(negated(bot), exchange) !== 'other' && sign(bot) !== sign(exchange)
  );
}
