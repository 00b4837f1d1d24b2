import { isZero, type NumberText } from '../../base/decimal.ts';
import type { Interval } from '../ledger.ts';
import { bracketOf, type Bracket } from './bracket.ts';
import { entriesIn, type Entry } from './entries.ts';
import type { Comparison, Terms } from './identities.ts';
import { compareFigures, type Point, type Row } from './openingBalance.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import type { Judgement } from './verdicts.ts';

type FigureComparison = Extract<Comparison, { by: 'figures' }>;

/** Compares the figures of the checkpoints in a span with its rows. */
export function judgeFigures(
  reader: ReconciliationReader,
  comparison: FigureComparison,
  terms: Terms,
  span: Interval,
): Judgement {
  const states = statesIn(reader, comparison, span);
  const [first, last] = [states[0], states.at(-1)];
  if (!first || !last) return new Map();
  const period = { from: first.bracket.from, to: last.bracket.to };
  const rows = rowsBySubject(entriesIn(reader, terms, period));
  const named = states.flatMap(({ figures }) => [...figures.keys()]);
  const subjects = new Set([...named, ...rows.keys()]);
  return new Map(
    [...subjects]
      .map((subject) => [subject, pointsOf(states, subject, comparison.absent)] as const)
      .filter(([, points]) => points.length > 0)
      .map(([subject, points]) => [subject, compareFigures(points, rows.get(subject) ?? [])]),
  );
}

/** Rows that change nothing are left out: they are not evidence. */
export function rowsBySubject(entries: Iterable<Entry>): ReadonlyMap<string, readonly Row[]> {
  const bySubject = new Map<string, Row[]>();
  for (const { term, time } of entries) {
    if (isZero(term.amount)) continue;
    const rows = bySubject.get(term.subject) ?? [];
    rows.push({ time, amount: term.amount });
    bySubject.set(term.subject, rows);
  }
  for (const rows of bySubject.values()) rows.sort((one, other) => one.time - other.time);
  return bySubject;
}

/** The figures of one checkpoint. */
type State = { readonly bracket: Bracket; readonly figures: ReadonlyMap<string, NumberText> };

/** The checkpoints whose whole bracket is covered, oldest first. */
function statesIn(
  reader: ReconciliationReader,
  { figures }: FigureComparison,
  { from, to }: Interval,
): readonly State[] {
  return reader
    .checkpoints()
    .map((checkpoint) => ({ checkpoint, bracket: bracketOf(checkpoint) }))
    .filter(({ bracket }) => from <= bracket.from && bracket.to <= to)
    .flatMap(({ checkpoint, bracket }): readonly State[] => {
      const known = figures(checkpoint);
      return known ? [{ bracket, figures: known }] : [];
    })
    .sort((one, other) => one.bracket.from - other.bracket.from);
}

function pointsOf(
  states: readonly State[],
  subject: string,
  absent: NumberText | null,
): readonly Point[] {
  return states.flatMap(({ bracket, figures }) => {
    const figure = figures.get(subject) ?? absent;
    return figure === null ? [] : [{ bracket, figure }];
  });
}
