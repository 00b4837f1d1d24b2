import {
  absolute,
  compare,
  extremes,
  isZero,
  negated,
  scaleOf,
  sign,
  sum,
  type NumberText,
} from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import type { Contradiction } from '../ledger.ts';
import { entriesIn, type UnknownEntry } from './entries.ts';
import type { Comparison, TermsByHistory } from './identities.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import { floatTolerance, magnitude } from './rounding.ts';
import { nothingCompared, type Judgement } from './verdicts.ts';

type KeyComparison = Extract<Comparison, { by: 'keys' }>;

/** The records with one key, such as an order and its trades. */
type Group = {
  readonly key: string;
  readonly subject: string;
  readonly amounts: NumberText[];
  readonly volumes: NumberText[];
  tolerance: NumberText;
  isJudged: boolean;
  isUnknown: boolean;
  mayRest: boolean;
  from: number;
  to: number;
};

/** Compares what the records with each key add up to with 0. */
export function judgeKeys(
  reader: ReconciliationReader,
  comparison: KeyComparison,
  terms: TermsByHistory,
  span: Interval,
): Judgement {
  const groups = groupsOf(entriesIn(reader, terms, span), comparison.needs);
  const judged = groups.filter((group) => isDecidable(group, comparison, span));
  return new Map(
    [...Map.groupBy(judged, ({ subject }) => subject)].map(([subject, all]) => {
      const contradictions = all
        .flatMap(contradictionOf)
        .sort((one, other) => one.from - other.from);
      // A single record is not evidence that others would fit.
      const alone = all.filter((group) => group.amounts.length < 2 && fits(group)).length;
      const held = all.length - alone - contradictions.length;
      const rounded = extremes(['0', ...all.map(roundingOf)]).max;
      return [subject, { ...nothingCompared, contradictions, held, rounded }];
    }),
  );
}

/** Without groups of which a part is unknown. */
function groupsOf(
  entries: Iterable<UnknownEntry>,
  needs: KeyComparison['needs'],
): readonly Group[] {
  const groups = new Map<string, Group>();
  /** Any of their keys may be that of a record whose key is unknown. */
  const unknownSubjects = new Set<string>();
  for (const { history, term, time } of entries) {
    const { key, subject, amount, tolerance, volume, mayRest = false } = term;
    if (typeof key !== 'string') {
      unknownSubjects.add(subject);
      continue;
    }
    const name = `${subject} ${key}`;
    const group = groups.get(name) ?? newGroup(key, subject, time, !needs);
    groups.set(name, group);
    if (amount === null || volume === null) group.isUnknown = true;
    if (amount !== null) group.amounts.push(amount);
    if (typeof volume === 'string') group.volumes.push(volume);
    group.isJudged ||= history === needs;
    group.mayRest ||= mayRest;
    if (tolerance !== undefined) group.tolerance = sum([group.tolerance, tolerance]);
    group.from = Math.min(group.from, time);
    group.to = Math.max(group.to, time);
  }
  return [...groups.values()].filter(
    ({ subject, isUnknown }) => !isUnknown && !unknownSubjects.has(subject),
  );
}

function newGroup(key: string, subject: string, time: number, isJudged: boolean): Group {
  const empty = { amounts: [], volumes: [], tolerance: '0', isUnknown: false, mayRest: false };
  return { ...empty, key, subject, isJudged, from: time, to: time };
}

/** Whether a difference would show a wrong or missing record: no other record can lie outside the span. */
function isDecidable(group: Group, { needs, apartMs }: KeyComparison, span: Interval): boolean {
  const { isJudged, mayRest, amounts, from, to } = group;
  if (!isJudged) return false;
  if (mayRest) return isFilled(group);
  // An order may be listed long before it is carried out: only its trades say when that was.
  const isTimeKnown = !needs || amounts.length > 1;
  const isInside = from - apartMs >= span.from && to + apartMs < span.to;
  return isFilled(group) || (isTimeKnown && isInside);
}

/** Trades have positive amounts: once they reach what was filled, none is missing. */
function isFilled({ volumes }: Group): boolean {
  return volumes.length > 0 && (sign(sum(volumes)) >= 0 || isRounded(volumes));
}

function fits(group: Group): boolean {
  return isExact(group) || isRounded(group.amounts);
}

/** Whether they add up to 0, but for the rounding of doubles. */
function isRounded(amounts: readonly NumberText[]): boolean {
  const integers = amounts.map(scaleOf(amounts).integerOf);
  const total = integers.reduce((subtotal, each) => subtotal + each, 0n);
  return magnitude(total) <= floatTolerance(integers);
}

function isExact({ amounts, tolerance }: Group): boolean {
  const total = sum(amounts);
  return isZero(total) || compare(absolute(total), tolerance) < 0;
}

/** What it differs by if it fits but for the rounding of doubles. */
function roundingOf(group: Group): NumberText {
  return !isExact(group) && fits(group) ? absolute(sum(group.amounts)) : '0';
}

function contradictionOf(group: Group): readonly Contradiction[] {
  if (fits(group)) return [];
  const { key, from, to, amounts } = group;
  return [{ from, to: to + 1, remainder: sum(amounts.map(negated)), key }];
}
