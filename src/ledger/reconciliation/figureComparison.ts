import { difference, isZero, sum, type NumberText } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import { entriesIn, isKnown, type UnknownEntry } from './entries.ts';
import type { FigureComparison, TermsByHistory, Figures } from './identities.ts';
import { compareFigures } from './openingBalance.ts';
import type { Point, Row } from './openings.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import type { Judgement } from './verdicts.ts';
import { bracketOf, staleBracket, type Bracket } from './bracket.ts';

/** A symbol has few positions at a time. */
const mostUnsigned = 4;

/** Compares the figures of the checkpoints in a span with its rows. */
export function judgeFigures(
  reader: ReconciliationReader,
  comparison: FigureComparison,
  terms: TermsByHistory,
  span: Interval,
): Judgement {
  const all = statesIn(reader, comparison, span);
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) return new Map();
  const period = { from: staleBracket(first.bracket).from, to: last.bracket.to };
  const { rows, unknownTimes } = rowsBySubject(entriesIn(reader, terms, period));
  const states = withoutRedundant(all, rows);
  const unclearTimes = unclearTimesIn(reader, comparison, span);
  const isSigned = hasSigns(states, comparison);
  const named = states.flatMap(({ figures }) => [...figures.keys()]);
  const subjects = new Set([...named, ...rows.keys()]);
  return new Map(
    [...subjects]
      .map((subject) => [subject, pointsOf(states, subject, comparison.absent, isSigned)] as const)
      .filter(([, points]) => points.length > 0)
      .map(([subject, points]) => {
        const unclear = [...unclearTimes, ...(unknownTimes.get(subject) ?? [])];
        return [subject, compareAnswers(points, rows.get(subject) ?? [], unclear)];
      }),
  );
}

/** Answers may be old when they are given: believed if it explains something that contradicts otherwise. */
function compareAnswers(...[points, ...others]: Parameters<typeof compareFigures>) {
  const found = compareFigures(points, ...others);
  if (found.contradictions.length === 0) return found;
  const old = points.map(({ bracket, figures }) => ({ bracket: staleBracket(bracket), figures }));
  const explained = compareFigures(old, ...others);
  return explained.contradictions.length < found.contradictions.length ? explained : found;
}

/** The end is one of them: a record may be booked after it. */
function unclearTimesIn(
  reader: ReconciliationReader,
  { unclearNear }: FigureComparison,
  span: Interval,
): readonly number[] {
  if (Object.keys(unclearNear).length === 0) return [];
  return [...[...entriesIn(reader, unclearNear, span)].map(({ time }) => time), span.to];
}

type RowsBySubject = {
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Of rows whose amount is unknown. */
  readonly unknownTimes: ReadonlyMap<string, readonly number[]>;
};

/** Rows that change nothing are left out: they are not evidence. */
export function rowsBySubject(entries: Iterable<UnknownEntry>): RowsBySubject {
  const bySubject = new Map<string, Row[]>();
  const unknownTimes = new Map<string, number[]>();
  for (const entry of entries) {
    const { history, term, time } = entry;
    const { subject } = term;
    if (!isKnown(entry)) unknownTimes.set(subject, [...(unknownTimes.get(subject) ?? []), time]);
    else if (!isZero(entry.term.amount)) {
      const rows = bySubject.get(subject) ?? [];
      rows.push({ history, time, amount: entry.term.amount });
      bySubject.set(subject, rows);
    }
  }
  for (const rows of bySubject.values()) rows.sort((one, other) => one.time - other.time);
  return { rows: bySubject, unknownTimes };
}

/** The points of a subject; a checkpoint that leaves its figure open is one without a figure. */
function pointsOf(
  states: readonly State[],
  subject: string,
  absent: readonly NumberText[] | null,
  isSigned: boolean,
): readonly Point[] {
  return states.flatMap(({ bracket, figures }) => {
    const named = figures.get(subject);
    const amounts = named === undefined ? absent : named;
    return amounts === null ? [] : [{ bracket, figures: possibleFigures(amounts, isSigned) }];
  });
}

/** Whether amounts have their sign: an exchange that wrote one below 0 in this period writes signs. */
function hasSigns(states: readonly State[], { mayLackSign }: FigureComparison): boolean {
  return !mayLackSign || states.some(({ figures }) => [...figures.values()].some(hasNegative));
}

function hasNegative(amounts: readonly NumberText[] | null): boolean {
  return (amounts ?? []).some((amount) => amount.startsWith('-') && !isZero(amount));
}

/** Without signs, each amount may be above 0 or below. Of too many amounts, nothing is known. */
function possibleFigures(amounts: readonly NumberText[], isSigned: boolean): readonly NumberText[] {
  if (isSigned) return amounts.length === 1 ? amounts : [sum(amounts)];
  if (amounts.length > mostUnsigned) return [];
  return amounts.reduce<readonly NumberText[]>(
    (sums, amount) => sums.flatMap((each) => [sum([each, amount]), difference(each, amount)]),
    ['0'],
  );
}

/** The figures of one checkpoint. */
type State = { readonly bracket: Bracket; readonly figures: Figures };

/** The checkpoints whose whole bracket is covered, oldest first. */
function statesIn(
  reader: ReconciliationReader,
  { figures }: FigureComparison,
  { from, to }: Interval,
): readonly State[] {
  const states: State[] = [];
  for (const checkpoint of reader.checkpoints()) {
    const bracket = bracketOf(checkpoint);
    const isCovered = from <= staleBracket(bracket).from && bracket.to <= to;
    const known = isCovered ? figures(checkpoint) : null;
    if (known) states.push({ bracket, figures: known });
  }
  return states.sort((one, other) => one.bracket.from - other.bracket.from);
}

/**
 * Leaves out checkpoints that say nothing new: those between two with the same figures, if there is no row
 * from the one before to the one after.
 */
function withoutRedundant(
  states: readonly State[],
  rows: ReadonlyMap<string, readonly Row[]>,
): readonly State[] {
  const times = Float64Array.from([...rows.values()].flat(), ({ time }) => time).sort();
  let next = 0;
  return states.filter((state, index) => {
    const [before, after] = [states[index - 1], states[index + 1]];
    if (!before || !after) return true;
    while ((times[next] ?? Infinity) < before.bracket.from) next += 1;
    const to = Math.max(before.bracket.to, state.bracket.to, after.bracket.to);
    const hasNoRows = (times[next] ?? Infinity) >= to;
    return !hasNoRows || !hasSameFigures(before, state) || !hasSameFigures(state, after);
  });
}

function hasSameFigures({ figures }: State, other: State): boolean {
  if (figures.size !== other.figures.size) return false;
  for (const [subject, amounts] of figures) {
    const others = other.figures.get(subject);
    if (amounts === null || !others) return false;
    if (others.length !== amounts.length) return false;
    if (amounts.some((amount, index) => amount !== others[index])) return false;
  }
  return true;
}
