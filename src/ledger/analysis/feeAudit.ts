import type { DatabaseSync } from 'node:sqlite';
import { isZero, quotient, signOf, sum, textOf } from '../../base/decimal.ts';
import { parseTimestampMs } from '../../base/time.ts';
import type { Trade } from '../../exchange/records.ts';
import type { Checkpoint } from '../ledger.ts';
import { idKey } from '../storage/numberKey.ts';
import { parseRecord } from '../storage/recordLines.ts';
import { lastRow } from '../storage/sql.ts';
import { storedReader } from '../reconciliation/storedReader.ts';
import { notZero } from '../storage/sums.ts';
import type { AuditedTrade, FeeAudit, FeeCounts, FeeDeviation, UndecidedFee } from './analysis.ts';
import {
  billedAs,
  comparedTrade,
  decimalsAt,
  expectedFee,
  fits,
  highestPrecision,
  isAudited,
  isBeyond,
  learnFees,
  neighbourCount,
  neighbourPrecision,
  overcharge,
  rateOf,
  type ComparedTrade,
  type FeeReading,
  type LearnedFees,
  type Precision,
} from './feeReadings.ts';
import { feeTimeline, type FeesAt, type KnownFees } from './feeTimeline.ts';
import type { AnalysisScope } from './scope.ts';

/** What an audit reads. Its calls block. */
export type FeeSource = {
  /** Oldest first. */
  readonly checkpoints: readonly Checkpoint[];
  /** Some trades of all times, by which readings are learned. */
  readonly sample: readonly AuditedTrade[];
  /** Those that are judged, oldest first. */
  readonly trades: Iterable<Trade>;
  /**
   * The nearest fees in the same asset, also of trades that are not judged. Those of 0 are left out: where a rate
   * is 0, they do not show how others are rounded.
   */
  readonly feesAround: (trade: AuditedTrade) => Readonly<Record<'before' | 'after', string[]>>;
  /** Whether the fee is in the asset of the price. */
  readonly isInQuote: (trade: AuditedTrade) => boolean;
};

function timeOf({ time }: Pick<Trade, 'time'>): number {
  return parseTimestampMs(time) ?? 0;
}

/** More rows say no more. */
const mostDeviations = 1000;

/** Compares the fee of every trade with the rates of the account's tier at that time. */
export function auditFees(source: FeeSource): Omit<FeeAudit, 'view' | 'period' | 'coverage'> {
  const feesAt = feeTimeline(source.checkpoints);
  const learned = learnedFrom(source, feesAt);
  const options = { learned, precisionsOf: precisionsFrom(source) };
  const judge = (trade: AuditedTrade): FeeJudgement =>
    source.isInQuote(trade)
      ? judgeFee(comparedTrade(trade), feesAt(timeOf(trade)), options)
      : 'otherAsset';
  const markets = new Map<string, MarketCounts>();
  const reasons = new Map<UndecidedFee, number>();
  const deviations: FeeDeviation[] = [];
  for (const trade of source.trades) {
    const { symbol } = trade;
    const counts = markets.get(symbol) ?? noCounts(symbol);
    markets.set(symbol, counts);
    const judgement = isAudited(trade) ? judge(trade) : 'unknownFigure';
    if (judgement === 'asExpected') counts.asExpected += 1;
    else if (typeof judgement === 'object') {
      counts[judgement.kind] += 1;
      deviations.push(judgement);
    } else {
      counts.undecided += 1;
      reasons.set(judgement, (reasons.get(judgement) ?? 0) + 1);
    }
  }
  return {
    markets: [...markets.values()].sort((one, other) => (one.symbol < other.symbol ? -1 : 1)),
    undecided: [...reasons].map(([reason, count]) => ({ reason, count })),
    deviations: deviations
      .toSorted((one, other) => timeOf(other.trade) - timeOf(one.trade))
      .slice(0, mostDeviations),
    deviationCount: deviations.length,
    sums: sumsOf(deviations),
    discountIn: onlyOne(learned.withDiscount?.map(({ discountIn }) => discountIn)),
    ratesIn: onlyOne(learned.withoutDiscount?.map(({ ratesIn }) => ratesIn)),
  };
}

type MarketCounts = { -readonly [Name in keyof FeeCounts]: FeeCounts[Name] };

function noCounts(symbol: string): MarketCounts {
  return { symbol, asExpected: 0, dearer: 0, cheaper: 0, undecided: 0 };
}

function learnedFrom(
  { sample, isInQuote }: FeeSource,
  feesAt: ReturnType<typeof feeTimeline>,
): LearnedFees {
  return learnFees(
    sample.flatMap((trade) => {
      const at = feesAt(timeOf(trade));
      return at && isInQuote(trade) ? [{ compared: comparedTrade(trade), at }] : [];
    }),
  );
}

function precisionsFrom({ sample, feesAround }: FeeSource): JudgeOptions['precisionsOf'] {
  const byAsset = Map.groupBy(sample, ({ feeAsset }) => feeAsset);
  const highest = new Map(
    [...byAsset].map(([asset, trades]) => [asset, highestPrecision(trades.map(({ fee }) => fee))]),
  );
  return function* precisionsOf(trade) {
    yield highest.get(trade.feeAsset) ?? { decimals: 0, digits: 0 };
    yield neighbourPrecision(feesAround(trade));
  };
}

function sumsOf(deviations: readonly FeeDeviation[]): FeeAudit['sums'] {
  return [...Map.groupBy(deviations, ({ trade }) => trade.feeAsset)].map(([asset, own]) => {
    const total = (kind: FeeDeviation['kind']): string =>
      sum(own.filter((each) => each.kind === kind).map((each) => each.overcharge));
    return { asset, dearer: total('dearer'), cheaper: total('cheaper') };
  });
}

/** What all readings say that fit. */
function onlyOne<Unit>(units: readonly Unit[] = []): Unit | null {
  const [unit, ...others] = new Set(units);
  return others.length === 0 ? (unit ?? null) : null;
}

type FeeJudgement = 'asExpected' | UndecidedFee | FeeDeviation;

type Outcome = 'fits' | 'dearer' | 'cheaper' | 'unclear';

type JudgeOptions = {
  readonly learned: LearnedFees;
  /**
   * How a fee may be rounded: with the highest precision that fees of its asset were seen with, or as the fees
   * around it, which is asked only where it matters. Undefined if that is not known.
   */
  readonly precisionsOf: (trade: AuditedTrade) => Iterable<Precision | undefined>;
};

function judgeFee(
  compared: ComparedTrade,
  at: FeesAt | undefined,
  options: JudgeOptions,
): FeeJudgement {
  const { trade, value } = compared;
  if (signOf(value) === 0) return 'noValue';
  if (!at) return 'noRates';
  const outcomes: Outcome[] = [];
  for (const known of at.known) {
    const readings = readingsFor(known, options.learned);
    if (!readings) return isZero(known.discount) ? 'notLearned' : 'unknownDiscount';
    const [outcome, ...others] = new Set(
      readings.map((reading) => outcomeOf(compared, reading, known, options)),
    );
    if (outcome === undefined || others.length > 0) return 'unknownDiscount';
    outcomes.push(outcome);
  }
  if (outcomes.includes('fits')) return 'asExpected';
  if (outcomes.includes('unclear')) return 'unknownRounding';
  if (trade.type !== 'ORDER_BOOK') return 'otherType';
  return deviation(compared, at, outcomes, options.learned);
}

/** No rate that is known explains the fee. */
function deviation(
  compared: ComparedTrade,
  at: FeesAt,
  outcomes: readonly Outcome[],
  learned: LearnedFees,
): FeeJudgement {
  const [known] = at.known;
  const [verdict, ...others] = new Set(outcomes);
  const reading = known && readingsFor(known, learned)?.[0];
  const isOneSided = at.isAgreed || at.known.length === 2;
  if (!known || !reading || !isOneSided || others.length > 0) return 'unknownTier';
  if (verdict !== 'dearer' && verdict !== 'cheaper') return 'unknownTier';
  // The account may have been in another tier for a time.
  const isOfOtherTier = ({ table, discount }: KnownFees): boolean =>
    table.some((rates) => fits(compared, reading, rates, discount));
  if (!at.isCertain && at.known.some(isOfOtherTier)) return 'unknownTier';
  const rate = rateOf(compared.trade, known);
  const expected = expectedFee(compared, reading, rate, known.discount);
  return {
    kind: verdict,
    trade: compared.trade,
    rate,
    tier: known.tier,
    impliedRate: quotient(compared.trade.fee, textOf(compared.value)),
    expected: textOf(expected),
    overcharge: textOf(overcharge(compared, reading, expected)),
    billedAs: billedAs(compared, reading, known),
  };
}

function outcomeOf(
  compared: ComparedTrade,
  reading: FeeReading,
  known: KnownFees,
  { precisionsOf }: JudgeOptions,
): Outcome {
  const { trade, decimals } = compared;
  const expected = expectedFee(compared, reading, rateOf(trade, known), known.discount);
  const difference = overcharge(compared, reading, expected);
  const direction = signOf(difference) > 0 ? 'dearer' : 'cheaper';
  if (isBeyond(difference, decimals)) return direction;
  // The fee may have been written without the zeros at its end: then it was rounded to more decimals.
  for (const precision of precisionsOf(trade)) {
    if (!precision) return 'unclear';
    if (!isBeyond(difference, decimalsAt(trade.fee, precision))) return 'fits';
  }
  return direction;
}

function readingsFor(
  { discount }: KnownFees,
  { withoutDiscount, withDiscount }: LearnedFees,
): readonly FeeReading[] | null {
  return isZero(discount) ? withoutDiscount : withDiscount;
}

const sampleSize = 2000;

/** What an audit reads of a ledger. */
export function storedFees({
  database,
  period,
  symbols,
}: Pick<AnalysisScope, 'database' | 'period' | 'symbols'>): FeeSource {
  const reader = storedReader(database);
  return {
    isInQuote: ({ symbol, feeAsset }) => symbols.assetOf(symbol, 'quoteAsset').asset === feeAsset,
    checkpoints: reader.checkpoints(),
    sample: sampleOf(database),
    trades: recordsOf(reader.records('trades', period)),
    feesAround: (trade) => ({
      before: feesFrom(database, trade, '<'),
      after: feesFrom(database, trade, '>'),
    }),
  };
}

function* recordsOf(rows: Iterable<{ readonly record: Trade }>): Generator<Trade> {
  for (const { record } of rows) yield record;
}

/** Rows spread over all of them. */
function sampleOf(database: DatabaseSync): AuditedTrade[] {
  const last = lastRow(database, 'trades');
  const step = Math.max(1, last / sampleSize);
  const rows = Array.from({ length: Math.ceil(last / step) }, (_none, index) =>
    Math.floor(1 + index * step),
  );
  return database
    .prepare(
      `SELECT json FROM trades JOIN tradesJson USING (row)
       WHERE row IN (SELECT value FROM json_each(?)) AND unlistedSince IS NULL`,
    )
    .all(JSON.stringify(rows))
    .map(({ json }) => parseRecord(String(json)) as Trade)
    .filter(isAudited);
}

function feesFrom(
  database: DatabaseSync,
  { feeAsset, time, tradeId }: AuditedTrade,
  operator: '<' | '>',
): string[] {
  const order = operator === '<' ? 'DESC' : 'ASC';
  return database
    .prepare(
      `SELECT json FROM trades JOIN tradesJson USING (row)
       WHERE (time, tradeId) ${operator} (?, ?) AND feeAsset = ? AND ${notZero('fee')} AND unlistedSince IS NULL
       ORDER BY time ${order}, tradeId ${order} LIMIT ${neighbourCount}`,
    )
    .all(parseTimestampMs(time) ?? 0, idKey(tradeId), feeAsset)
    .flatMap(({ json }) => (parseRecord(String(json)) as Trade).fee ?? []);
}
