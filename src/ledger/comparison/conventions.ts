import {
  added,
  amountOf,
  less,
  quotient,
  signOf,
  sizeOf,
  type Amount,
  type NumberText,
} from '../../base/decimal.ts';
import { minuteMs, secondMs } from '../../base/time.ts';
import { assetKey, botFigure, isNothing, mostFrequent, ratioKey } from './botValues.ts';
import { closeness } from './closeness.ts';
import type { BotBook, BotRow, ComparisonChoices, Conventions } from './comparison.ts';
import type { Fills } from './fills.ts';
import type { ComparisonReader } from './ledgerReader.ts';
import { mostOffsetMs, zoneOf, type NamedSymbols, type Pair } from './matching.ts';

/** How the bot writes what the exchange writes in another way: what most rows show. */
export type FoundConventions = {
  readonly shown: Conventions;
  readonly symbolOf: (botSymbol: string | null) => string | undefined;
  readonly multiplierOf: (row: BotRow) => Amount;
  /** The exchange's P&L, less its fee if the bot's is; null if that is not known, or the fee is in another asset. */
  readonly pnlOf: (fills: Fills, bot: Amount | null) => Amount | null;
  /** Whether most times are those of fills: what was noted later may look like one of another zone. */
  readonly hasTimesOfFills: boolean;
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
  const bySymbol = new Map<string | null, { symbol: string; multiplier: Amount }>(
    symbols.flatMap(({ botSymbol, symbol, multiplier }) =>
      symbol === '' ? [] : [[botSymbol, { symbol, multiplier: amountOf(multiplier) }]],
    ),
  );
  const offsets = noteOffsets(pairs, matched, choices);
  const feeSign = Math.sign(matched.reduce((sum, pair) => sum + signOfFee(pair), 0));
  const isFeeOfPnl = ({ feeAsset, symbol }: Fills): boolean =>
    feeAsset !== null && assetKey(feeAsset) === assetKey(marginAssetOf(symbol) ?? '');
  const readings = matched.flatMap((pair) =>
    isFeeOfPnl(pair.fills) ? (readingOf(pair) ?? []) : [],
  );
  // A bot that keeps positions writes a paid fee above zero.
  const ofPositions = feeSign === 0 ? undefined : feeSign > 0 ? 'less' : 'added';
  const shownReading = mostFrequent(readings);
  const reading = positions ? ofPositions : (shownReading ?? 'gross');
  return {
    shown: {
      ...{ symbols, feesAreNegated: feeSign < 0, pnlIsNet: !positions && reading !== 'gross' },
      offsets: [...offsets].map(([ms, { length }]) => ({ minutes: ms / minuteMs, rows: length })),
      hasNaiveTimes: pairs.some(({ row }) => row.isNaive),
    },
    symbolOf: (symbol) => bySymbol.get(symbol)?.symbol,
    hasTimesOfFills:
      2 * matched.filter(({ row, fills }) => offsetIn(row, fills) !== null).length > matched.length,
    pnlOf(fills, bot) {
      // Some note a P&L only of what closes.
      if (isNothing(fills.fee) || (isNothing(fills.pnl) && isNothing(bot))) return fills.pnl;
      if (isFeeOfPnl(fills)) return reading ? pnlAs(fills, reading) : null;
      // A fee in another asset may be in the bot's P&L, at a price of its own.
      return shownReading === 'gross' || isFigure(bot, fills.pnl) ? fills.pnl : null;
    },
    multiplierOf: ({ symbol }) => bySymbol.get(symbol)?.multiplier ?? one,
  };
}

const one: Amount = { integer: 1n, fraction: 0 };

function findSymbols(
  pairs: readonly Pair[],
  matched: readonly MatchedPair[],
  named: NamedSymbols,
): Conventions['symbols'] {
  const bySymbol = Map.groupBy(matched, ({ row }) => row.symbol);
  // Also those of which no row was matched: a person may know them.
  const written = new Set(pairs.flatMap(({ row }) => row.symbol ?? []));
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
  const ofZones = leads.filter((lead) => Math.abs(lead) <= mostOffsetMs);
  const usual =
    mostFrequent(shown.filter((offset) => offset !== null)) ?? mostFrequent(ofZones) ?? 0;
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
export function offsetIn(
  { timeMs: ms, amount }: BotRow,
  { firstTime, lastTime }: Fills,
): number | null {
  if (ms === null || isNothing(botFigure(amount))) return null;
  const offset = [firstTime, lastTime]
    .map((end) => zoneOf(ms - end))
    .filter((each) => Math.abs(each) <= mostOffsetMs)
    .find((each) => firstTime - promptMs <= ms - each && ms - each <= lastTime + promptMs);
  return offset ?? null;
}

/** -1 if the bot writes it with the other sign; 0 shows nothing. */
function signOfFee({ row, fills: { fee } }: MatchedPair): number {
  const own = botFigure(row.fee);
  if (!own || !fee || closeness(sizeOf(own), sizeOf(fee)) === 'other') return 0;
  return signOf(own) * signOf(fee);
}

/** What a P&L is, beside the exchange's: without its fee, or with it added or taken off. */
const pnlReadings = ['gross', 'added', 'less'] as const;
type PnlReading = (typeof pnlReadings)[number];

/** Undefined shows nothing. */
function readingOf({ row, fills }: MatchedPair): PnlReading | undefined {
  if (row.pnl === null || isNothing(fills.fee) || isNothing(fills.pnl)) return undefined;
  const fits = pnlReadings.filter((each) => isFigure(botFigure(row.pnl), pnlAs(fills, each)));
  return fits.length === 1 ? fits[0] : undefined;
}

function pnlAs({ pnl, fee }: Fills, reading: PnlReading): Amount | null {
  if (reading === 'gross') return pnl;
  return pnl && fee && (reading === 'added' ? added : less)(pnl, fee);
}

function isFigure(bot: Amount | null, exchange: Amount | null): boolean {
  return bot !== null && exchange !== null && closeness(bot, exchange) !== 'other';
}
