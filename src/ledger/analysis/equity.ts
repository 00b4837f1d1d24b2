import type { DatabaseSync } from 'node:sqlite';
import { difference, extremes, isSame, type NumberText } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import { minuteMs } from '../../base/time.ts';
import { bracketBetween, staleBracket } from '../reconciliation/bracket.ts';
import { checkpointsWhere } from '../storage/checkpointStore.ts';
import type { EquityAnalysis, EquityBucket } from './analysis.ts';
import { drawdownOf, type EquitySample } from './drawdown.ts';
import type { AnalysisScope } from './scope.ts';

/** How many parts a curve is drawn in if it has more than four times as many samples: each with five samples at most. */
const mostParts = 2000;
/** Reads are at most 10 minutes apart, and some time may pass until one that failed is repeated. */
const longestPauseMs = 15 * minuteMs;
/** How many samples, at most, are read to prove the asset that equity counts in. */
const mostProofs = 1000;

type Curve = Omit<EquityAnalysis, 'view' | 'period' | 'coverage' | 'groupBy' | 'buckets'>;

/** Equity as far as samples of it are stored. */
export function equityCurve(scope: AnalysisScope): Curve {
  const { database, period, calendar } = scope;
  const samples = equitySamples(database, period);
  const unit = equityUnit(database, samples);
  const drawdown = drawdownOf(scope, samples, unit);
  const below = drawdown.problem === null ? drawdown.values : [];
  const drawn = drawnSamples(samples, below);
  return {
    unit,
    gaps: sampleGaps(samples),
    times: drawn.map((index) => samples[index]?.time ?? 0),
    values: drawn.map((index) => samples[index]?.equity ?? '0'),
    groups: groupsOf(samples, calendar.buckets),
    drawdown:
      drawdown.problem === null
        ? { ...drawdown, values: drawn.map((index) => below[index] ?? null) }
        : drawdown,
  };
}

/** Oldest first; without those that have no equity. */
function equitySamples(database: DatabaseSync, { from, to }: Interval): EquitySample[] {
  const statement = database.prepare(
    `SELECT rowid AS row, sentAt, answeredAt, json ->> '$.equity' AS equity,
       json ->> '$.clockErrorMs' AS clockErrorMs
     FROM checkpoints WHERE answeredAt >= ? AND answeredAt < ? ORDER BY answeredAt, rowid`,
  );
  const samples: EquitySample[] = [];
  for (const each of statement.iterate(from, to)) {
    if (typeof each.equity !== 'string') continue;
    const [time, error] = [Number(each.answeredAt), Number(each.clockErrorMs)];
    const { from, to } = staleBracket(bracketBetween(Number(each.sentAt) - error, time + error));
    samples.push({ time, from, to, equity: each.equity, row: Number(each.row) });
  }
  return samples;
}

/** Between neighbours, where nothing is known: what has not changed is not stored. */
function sampleGaps(samples: readonly EquitySample[]): Interval[] {
  return samples.slice(1).flatMap((sample, index) => {
    const before = samples[index] ?? sample;
    const isKnown =
      sample.time - before.time <= longestPauseMs || isSame(sample.equity, before.equity);
    return isKnown ? [] : [{ from: before.time, to: sample.time }];
  });
}

/**
 * The asset that `equity` counts in: no field says it. It is the only one whose balance is the equity without
 * `upl`, in samples all over the period.
 */
function equityUnit(database: DatabaseSync, samples: readonly EquitySample[]): string | null {
  let units: ReadonlySet<string> | undefined;
  const step = Math.max(1, Math.ceil(samples.length / mostProofs));
  for (const sample of samples.filter((_sample, index) => index % step === 0)) {
    const [checkpoint] = checkpointsWhere(database, 'rowid = ?', sample.row);
    const { assets = null, upl = null, equity = null } = checkpoint ?? {};
    if (assets === null || upl === null || equity === null) continue;
    const balance = difference(equity, upl);
    const fitting = assets.filter(({ deposited }) => isSame(deposited, balance));
    const names = new Set(fitting.map(({ name }) => name));
    units = units === undefined ? names : new Set([...units].filter((name) => names.has(name)));
    if (units.size === 0) return null;
  }
  const [unit, ...others] = units ?? [];
  return unit !== undefined && others.length === 0 ? unit : null;
}

/** The indexes of all samples; of many, those that stand out in each part. */
function drawnSamples(
  samples: readonly EquitySample[],
  below: readonly (NumberText | null)[],
): readonly number[] {
  const size = samples.length <= 4 * mostParts ? 1 : Math.ceil(samples.length / mostParts);
  const drawn = new Set<number>();
  for (let start = 0; start < samples.length; start += size) {
    const part = samples.slice(start, start + size).map(({ equity }) => equity);
    const { min, max } = extremes(part);
    const falls = below.slice(start, start + size);
    const known = falls.filter((each) => each !== null);
    // The deepest fall may be from a peak in this part, or after a deposit: then equity is not the lowest.
    const deepest = known.length === 0 ? 0 : falls.indexOf(extremes(known).min);
    const inPart = [0, part.indexOf(min), part.indexOf(max), deepest, part.length - 1];
    for (const index of inPart.sort((one, other) => one - other)) drawn.add(start + index);
  }
  return [...drawn];
}

function groupsOf(
  samples: readonly EquitySample[],
  buckets: readonly Interval[],
): readonly (EquityBucket | null)[] {
  let next = 0;
  return buckets.map(({ to }) => {
    const start = next;
    while ((samples[next]?.time ?? to) < to) next += 1;
    return groupOf(samples.slice(start, next).map(({ equity }) => equity));
  });
}

function groupOf(values: readonly string[]): EquityBucket | null {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { min, max } = extremes(values);
  return { first, lowest: min, highest: max, last, samples: values.length };
}
