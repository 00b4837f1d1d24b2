import {
  added,
  amountOf,
  isSame,
  less,
  quotient,
  signOf,
  sizeOf,
  type Amount,
  type NumberText,
} from '../../base/decimal.ts';
import { minuteMs, secondMs } from '../../base/time.ts';
import { assetKey, botFigure, ratioKey } from './botValues.ts';
import { closeness } from './closeness.ts';
import type { BotBook, BotRow, ComparisonChoices, Conventions } from './comparison.ts';
import type { Fills } from './fills.ts';
import type { ComparisonReader } from './ledgerReader.ts';
import { zoneOf, type NamedSymbols, type Pair } from './matching.ts';

/** How the bot writes what the exchange writes in another way: what most rows show. */
export type FoundConventions = {
  readonly shown: Conventions;
  readonly symbolOf: (row: BotRow) => string | undefined;
  readonly multiplierOf: (row: BotRow) => Amount;
  /** The exchange's P&L less its fee; null if one of them, or the sign of its fees, is not known, or the fee is in another asset. */
  readonly netPnlOf: (fills: Fills) => Amount | null;
  /** Whether each row's time is that of a fill: one that was noted later may look like one of another zone. */
  readonly hasTimesOfFills: boolean;
  /** Whether other symbols have this multiplier, or it is a power of ten. */
  readonly isMultiplier: (ratio: NumberText) => boolean;
};

/** A multiplier is what rows show that are not the exception of their symbol. */
const leastRows = 3;

type MatchedPair = Pair & { readonly fills: Fills };

/** Notes in each pair by how much its time should be ahead. */
export function findConventions(
  { positions }: BotBook,
  pairs: readonly Pair[],
  named: NamedSymbols,
  choices: ComparisonChoices,
  { marginAssetOf }: Pick<ComparisonReader, 'marginAssetOf'>,
): FoundConventions {
  const matched = pairs.filter((pair): pair is MatchedPair => pair.fills !== undefined);
  const symbols = findSymbols(pairs, matched, named);
  const bySymbol = new Map(
    symbols.map(({ botSymbol, symbol, multiplier }) => [
      botSymbol,
      { symbol, multiplier: amountOf(multiplier) },
    ]),
  );
  const offsets = noteOffsets(pairs, matched, choices);
  const opposite = balanceOf(matched, feesAreOpposite);
  const isFeeOfPnl = ({ feeAsset, symbol }: Fills): boolean =>
    feeAsset !== null && assetKey(feeAsset) === assetKey(marginAssetOf(symbol) ?? '');
  const withNet = matched.filter(({ fills }) => isFeeOfPnl(fills));
  // A bot that keeps positions writes a paid fee above zero.
  const paidIsNegative = positions ? opposite : balanceOf(withNet, addsFee);
  return {
    shown: {
      ...{ symbols, feesAreNegated: opposite > 0, pnlIsNet: balanceOf(withNet, pnlIsNet) > 0 },
      offsets: [...offsets].map(([ms, { length }]) => ({ minutes: ms / minuteMs, rows: length })),
      hasNaiveTimes: pairs.some(({ row }) => row.isNaive),
    },
    symbolOf: ({ symbol }) => bySymbol.get(symbol ?? '')?.symbol,
    hasTimesOfFills: matched.every(
      ({ row, fills }) => row.timeMs === null || offsetIn(row, fills) !== null,
    ),
    netPnlOf: (fills) => {
      if (fills.fee && signOf(fills.fee) === 0) return fills.pnl;
      if (paidIsNegative === 0 || !isFeeOfPnl(fills)) return null;
      return paidIsNegative > 0 ? pnlWithFee(fills) : pnlWithoutFee(fills);
    },
    multiplierOf: ({ symbol }) => bySymbol.get(symbol ?? '')?.multiplier ?? one,
    isMultiplier: (ratio) =>
      /^(?:10+|0\.0*1)$/.test(ratio) ||
      (ratio !== '1' && symbols.some(({ multiplier }) => isSame(multiplier, ratio))),
  };
}

const one: Amount = { integer: 1n, fraction: 0 };

function findSymbols(
  pairs: readonly Pair[],
  matched: readonly MatchedPair[],
  named: NamedSymbols,
): Conventions['symbols'] {
  const bySymbol = Map.groupBy(matched, ({ row }) => row.symbol ?? '');
  // Also those of which no row was matched: a person may know them.
  const written = new Set([...bySymbol.keys(), ...pairs.flatMap(({ row }) => row.symbol ?? [])]);
  return [...written].map((botSymbol) => {
    const own = bySymbol.get(botSymbol) ?? [];
    const name = named.get(botSymbol);
    const symbol = name?.symbol ?? mostFrequent(own.map(({ fills }) => fills.symbol)) ?? '';
    const multiplier = name?.multiplier ?? usualRatio(own);
    return { botSymbol, symbol, multiplier, rows: own.length };
  });
}

/** The exchange's amount for 1 of the bot's, in more than half of the rows. */
function usualRatio(pairs: readonly MatchedPair[]): NumberText {
  const ratios = pairs.flatMap(({ row, fills }) => {
    const [own, theirs] = [botFigure(row.amount), fills.amount];
    return own && theirs && signOf(own) !== 0 ? [ratioKey(theirs, own)] : [];
  });
  const usual = mostFrequent(ratios);
  const count = ratios.filter((each) => each === usual).length;
  const isUsual = usual !== undefined && count >= leastRows && 2 * count > ratios.length;
  return isUsual ? quotient(usual, '1') : '1';
}

/** Pairs before and after one that show its zone: clocks may change in a book. */
const neighbours = 5;

/** Returns the matched pairs of each offset. */
function noteOffsets(
  pairs: readonly Pair[],
  matched: readonly MatchedPair[],
  { offsetMinutes }: ComparisonChoices,
): ReadonlyMap<number, readonly Pair[]> {
  const byTime = matched.toSorted((some, other) => some.fills.firstTime - other.fills.firstTime);
  const shown = byTime.map(({ row, fills }) => offsetIn(row, fills));
  // Of rows that were all noted late, the whole lead is the best that is known of their zone.
  const leads = byTime.flatMap(({ row: { timeMs, isNaive }, fills: { firstTime } }) =>
    isNaive && timeMs !== null ? [zoneOf(timeMs - firstTime)] : [],
  );
  const usual = mostFrequent(shown.filter((offset) => offset !== null)) ?? mostFrequent(leads) ?? 0;
  for (const pair of pairs) pair.offsetMs = usual;
  for (const [place, pair] of byTime.entries()) {
    const around = shown.slice(Math.max(0, place - neighbours), place + neighbours + 1);
    pair.offsetMs = mostFrequent(around.filter((offset) => offset !== null)) ?? usual;
  }
  if (offsetMinutes !== null)
    for (const pair of pairs) if (pair.row.isNaive) pair.offsetMs = offsetMinutes * minuteMs;
  return Map.groupBy(byTime, ({ offsetMs }) => offsetMs);
}

/** A bot notes a fill at once, or later: then its time says nothing of its zone. */
const promptMs = 10 * secondMs;

/** How far the row's time is ahead, if it is a zone that explains it; null if it is not known. */
export function offsetIn({ timeMs: ms }: BotRow, { firstTime, lastTime }: Fills): number | null {
  if (ms === null) return null;
  const offset = [firstTime, lastTime]
    .map((end) => zoneOf(ms - end))
    .find((each) => firstTime - promptMs <= ms - each && ms - each <= lastTime + promptMs);
  return offset ?? null;
}

/** How many more pairs show it than its opposite; undefined shows nothing. */
function balanceOf(
  pairs: readonly MatchedPair[],
  shows: (pair: MatchedPair) => boolean | undefined,
): number {
  let balance = 0;
  for (const pair of pairs) {
    const isShown = shows(pair);
    if (isShown !== undefined) balance += isShown ? 1 : -1;
  }
  return balance;
}

function feesAreOpposite({ row, fills: { fee } }: MatchedPair): boolean | undefined {
  const own = botFigure(row.fee);
  if (!own || !fee || signOf(own) === 0) return undefined;
  return closeness(sizeOf(own), sizeOf(fee)) === 'other' ? undefined : signOf(own) !== signOf(fee);
}

function pnlIsNet({ row, fills }: MatchedPair): boolean | undefined {
  if (!row.pnl || !fills.fee || signOf(fills.fee) === 0) return undefined;
  const isNet = isPnlOf(row, pnlWithoutFee(fills)) || isPnlOf(row, pnlWithFee(fills));
  return isNet || isPnlOf(row, fills.pnl) ? isNet : undefined;
}

/** Undefined if the row is not net. */
function addsFee({ row, fills }: MatchedPair): boolean | undefined {
  const isSum = isPnlOf(row, pnlWithFee(fills));
  return isSum === isPnlOf(row, pnlWithoutFee(fills)) ? undefined : isSum;
}

function isPnlOf({ pnl }: BotRow, exchange: Amount | null): boolean {
  const own = botFigure(pnl);
  return own !== null && exchange !== null && closeness(own, exchange) !== 'other';
}

function pnlWithFee({ pnl, fee }: Fills): Amount | null {
  return pnl && fee && added(pnl, fee);
}

function pnlWithoutFee({ pnl, fee }: Fills): Amount | null {
  return pnl && fee && less(pnl, fee);
}

function mostFrequent<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce<[Value | undefined, number]>(
    (best, each) => (each[1] > best[1] ? each : best),
    [undefined, 0],
  )[0];
}
