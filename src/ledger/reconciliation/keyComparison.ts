import { absolute, compare, isZero, negated, sum, type NumberText } from '../../base/decimal.ts';
import type { Interval, Contradiction } from '../ledger.ts';
import { entriesIn, type Entry } from './entries.ts';
import type { Comparison, Terms } from './identities.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import type { Judgement } from './verdicts.ts';

type KeyComparison = Extract<Comparison, { by: 'keys' }>;

/** The records with one key, such as an order and its trades. */
type Group = {
  readonly key: string;
  readonly subject: string;
  readonly amounts: NumberText[];
  tolerance: NumberText;
  isJudged: boolean;
  from: number;
  to: number;
};

/** Compares what the records with each key add up to with 0. */
export function judgeKeys(
  reader: ReconciliationReader,
  comparison: KeyComparison,
  terms: Terms,
  span: Interval,
): Judgement {
  const groups = groupsOf(entriesIn(reader, terms, span), comparison.needs);
  const judged = [...groups].filter((group) => isWhole(group, comparison, span));
  return new Map(
    [...Map.groupBy(judged, ({ subject }) => subject)].map(([subject, all]) => {
      const contradictions = all
        .flatMap(contradictionOf)
        .sort((one, other) => one.from - other.from);
      // A single record is not evidence that others would fit.
      const alone = all.filter((group) => group.amounts.length < 2 && fits(group)).length;
      const held = all.length - alone - contradictions.length;
      return [
        subject,
        {
          ...{ periods: [], contradictions, intervals: [], intervalCount: 0 },
          ...{ held, unclear: 0 },
        },
      ];
    }),
  );
}

function groupsOf(entries: Iterable<Entry>, needs: KeyComparison['needs']): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { history, term, time } of entries) {
    const { key, subject, amount, tolerance } = term;
    if (typeof key !== 'string') continue;
    const start = { amounts: [], tolerance: '0', isJudged: !needs, from: time, to: time };
    const name = `${subject} ${key}`;
    const group = groups.get(name) ?? { key, subject, ...start };
    groups.set(name, group);
    group.amounts.push(amount);
    group.isJudged ||= history === needs;
    if (tolerance !== undefined) group.tolerance = sum([group.tolerance, tolerance]);
    group.from = Math.min(group.from, time);
    group.to = Math.max(group.to, time);
  }
  return groups.values();
}

/** Whether no record with this key can lie outside of the span. */
function isWhole(
  { isJudged, from, to }: Group,
  { beforeMs, afterMs }: KeyComparison,
  span: Interval,
): boolean {
  const isCoveredBefore = span.from === 0 || to - beforeMs >= span.from;
  return isJudged && isCoveredBefore && from + afterMs < span.to;
}

function fits({ amounts, tolerance }: Group): boolean {
  const total = sum(amounts);
  return isZero(total) || compare(absolute(total), tolerance) < 0;
}

function contradictionOf(group: Group): readonly Contradiction[] {
  if (fits(group)) return [];
  const { key, from, to, amounts } = group;
  return [{ from, to: to + 1, remainder: sum(amounts.map(negated)), key }];
}
