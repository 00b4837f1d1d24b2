import { l10n } from 'vscode';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { AnalysisCoverage } from '../../ledger/analysis/analysis.ts';
import { clip, intersection, subtract } from '../../ledger/coverage/intervals.ts';
import type { Interval, LedgerHistory } from '../../ledger/ledger.ts';
import type { AnalysisCard } from '../../protocol/analysisMessages.ts';
import type { ChartData } from '../../protocol/chart.ts';
import { incompleteText, partOfPeriodText } from '../text/partOfPeriodText.ts';

/** What is known of the rows that an analysis is made of. */
export type Covered = { readonly period: Interval; readonly coverage: AnalysisCoverage };

/** Of a figure whose rows may be missing. */
type Part = {
  /** `42 of 90 days`, or `2 rows lack values`. */
  readonly text: string;
  /** One of its histories was not read at all in the period: there is no figure. */
  readonly isUnread: boolean;
};

/** How much there is of a figure of these histories: as little as of the least of them. Null if it is all. */
export function partOf(
  { period, coverage }: Covered,
  display: Display,
  histories: readonly LedgerHistory[] = coverage.histories,
): Part | null {
  const gaps = coverage.gaps.filter(({ history }) => histories.includes(history));
  const [first] = gaps;
  const known = coverage.byHistory.filter(({ history }) => histories.includes(history));
  const { undatedRows, lackingRows } = rowsLeftOut(known);
  const leftOut = undatedRows + lackingRows;
  if (!first)
    return leftOut === 0 ? null : { text: leftOutText(leftOut, display), isUnread: false };
  const complete = intersection(known.map((each) => each.complete));
  const end = Math.max(...[...gaps, ...complete].map(({ to }) => to));
  const whole = { from: first.from === 0 ? 0 : period.from, to: Math.min(period.to, end) };
  return {
    text: partOfPeriodText(complete, whole, display),
    isUnread: known.some(({ neverRead }) => subtract([whole], neverRead).length === 0),
  };
}

/** How many rows are not, or not whole, in figures of these histories. */
export function rowsLeftOut(byHistory: AnalysisCoverage['byHistory']) {
  return {
    undatedRows: byHistory.reduce((rows, each) => rows + each.undatedRows, 0),
    lackingRows: byHistory.reduce((rows, each) => rows + each.lackingRows, 0),
  };
}

function leftOutText(rows: number, display: Display): string {
  return rows === 1
    ? l10n.t('1 row lacks a value')
    : l10n.t('{0} rows lack values', display.count(rows));
}

/** The figures of a card, as far as they are known. */
export function partialCard(card: AnalysisCard, part: Part | null): AnalysisCard {
  if (!part) return card;
  const lines = part.isUnread ? [{ text: unknownText }] : card.lines;
  const notes = part.isUnread ? [] : card.notes;
  return { ...card, incomplete: incompleteText(part.text), lines, notes };
}

/** What a chart hatches. */
export function chartGaps({ coverage, period }: Covered): ChartData['gaps'] {
  return clip(coverage.gaps, period);
}

/** How much of a bucket is complete, as a cell. */
export function bucketPart({ coverage }: Covered, bucket: Interval, display: Display): string {
  const isPartial = clip(coverage.gaps, bucket).length > 0;
  return isPartial ? partOfPeriodText(coverage.complete, bucket, display) : l10n.t('yes');
}
