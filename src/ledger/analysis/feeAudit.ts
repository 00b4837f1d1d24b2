import { parseTimestampMs } from '../../base/time.ts';
import type { Trade } from '../../exchange/records.ts';
import type { Checkpoint } from '../ledger.ts';
import type {
  AuditedTrade,
  DiscountUnit,
  FeeAudit,
  FeeCounts,
  FeeDeviation,
  UndecidedFee,
} from './analysis.ts';
import { added, amountOf, textOf, zeroAmount } from './exactAmount.ts';
import { comparedTrade, isAudited } from './feeComparison.ts';
import { judgeFee, type FeeJudgement, type JudgeOptions } from './feeJudgement.ts';
import { highestPrecision, neighbourPrecision, type Precision } from './feeRounding.ts';
import { FeeTimeline } from './feeTimeline.ts';
import { learnFees, type LearnedFees } from './learnedFees.ts';

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
  const timeline = new FeeTimeline(source.checkpoints);
  const learned = learnedFrom(source, timeline);
  const highest = highestPrecisions(source);
  const markets = new Map<string, MarketCounts>();
  const reasons = new Map<UndecidedFee, number>();
  const deviations: FeeDeviation[] = [];
  const countsOf = ({ symbol }: Trade): MarketCounts => {
    const counts = markets.get(symbol) ?? noCounts();
    markets.set(symbol, counts);
    return counts;
  };
  const leaveUndecided = (trade: Trade, reason: UndecidedFee): void => {
    countsOf(trade).undecided += 1;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  };
  const audited = auditedOf(source.trades, (trade) => leaveUndecided(trade, 'unknownFigure'));
  for (const trade of audited) {
    const time = timeOf(trade);
    const { isInQuote, feesAround } = source;
    const precisionAround = (): Precision | undefined => neighbourPrecision(feesAround(trade));
    const options = { learned, highestPrecision: highest, precisionAround, isInQuote };
    const judgement = judgeFee(comparedTrade(trade), timeline.at(time), options);
    if (judgement.verdict === 'undecided') leaveUndecided(trade, judgement.reason);
    else countsOf(trade)[countOf(judgement)] += 1;
    if (judgement.verdict === 'deviates') deviations.push(judgement.deviation);
  }
  return {
    markets: [...markets]
      .map(([symbol, counts]) => ({ symbol, ...counts }))
      .sort((one, other) => (one.symbol < other.symbol ? -1 : 1)),
    undecided: [...reasons].map(([reason, count]) => ({ reason, count })),
    deviations: deviations
      .toSorted((one, other) => timeOf(other.trade) - timeOf(one.trade))
      .slice(0, mostDeviations),
    deviationCount: deviations.length,
    sums: sumsOf(deviations),
    discountIn: discountOf(learned),
  };
}

type MarketCounts = Record<Exclude<keyof FeeCounts, 'symbol'>, number>;

function noCounts(): MarketCounts {
  return { asExpected: 0, dearer: 0, cheaper: 0, undecided: 0 };
}

function* auditedOf(
  trades: Iterable<Trade>,
  onOther: (trade: Trade) => void,
): Generator<AuditedTrade> {
  for (const trade of trades)
    if (isAudited(trade)) yield trade;
    else onOther(trade);
}

function countOf(judgement: Exclude<FeeJudgement, { verdict: 'undecided' }>): keyof MarketCounts {
  return judgement.verdict === 'deviates' ? judgement.deviation.kind : judgement.verdict;
}

function learnedFrom({ sample, isInQuote }: FeeSource, timeline: FeeTimeline): LearnedFees {
  return learnFees(
    sample.flatMap((trade) => {
      const at = timeline.at(timeOf(trade));
      return at && isInQuote(trade) ? [{ compared: comparedTrade(trade), at }] : [];
    }),
  );
}

function highestPrecisions({ sample }: FeeSource): JudgeOptions['highestPrecision'] {
  const highest = new Map(
    [...Map.groupBy(sample, ({ feeAsset }) => feeAsset)].map(([asset, trades]) => [
      asset,
      highestPrecision(trades.map(({ fee }) => fee)),
    ]),
  );
  return (feeAsset) => highest.get(feeAsset) ?? { decimals: 0, digits: 0 };
}

function sumsOf(deviations: readonly FeeDeviation[]): FeeAudit['sums'] {
  return [...Map.groupBy(deviations, ({ trade }) => trade.feeAsset)].map(([asset, own]) => {
    const sum = (kind: FeeDeviation['kind']): string =>
      textOf(
        own
          .filter((each) => each.kind === kind)
          .map((each) => amountOf(each.overcharge))
          .reduce(added, zeroAmount),
      );
    return { asset, dearer: sum('dearer'), cheaper: sum('cheaper') };
  });
}

function discountOf({ withDiscount }: LearnedFees): DiscountUnit | null {
  const [unit, ...others] = new Set(withDiscount?.map(({ discountIn }) => discountIn));
  return others.length === 0 ? (unit ?? null) : null;
}
