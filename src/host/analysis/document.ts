import { clip } from '../../base/interval.ts';
import type { Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import { wholeDays } from '../../base/timeZone.ts';
import type { AnalysisGap, RebuiltPosition } from '../../ledger/analysis/analysis.ts';
import type { Block, Choice, DocumentTable, Section } from '../../protocol/document.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { StoredRows } from '../reconciliation/storedRows.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import type { Action, Live, LiveDocument } from '../webview/documentPanel.ts';
import {
  downloadButton,
  emptyDocument,
  emptyNotice,
  noAccount,
  noLedger,
} from '../webview/documentParts.ts';
import { cashView, sumsView } from './sums.ts';
import { type View, type ViewChart, plAssetText } from './series.ts';
import {
  choicesOf,
  viewLabel,
  viewNote,
  type AnalysisChoices,
  type ReadAnalysis,
} from './choices.ts';
import { coverageBlocks, periodText, type Covered } from './coverage.ts';
import { drawdownCard, equityView } from './equity.ts';
import { feeAuditView } from './feeAudit.ts';
import { gridRows, type ViewRows } from './grid.ts';
import { assetOptions, bySymbolView, calendarView } from './netFigures.ts';
import { positionsView } from './positions.ts';
import { assetCards } from './numbers.ts';

/** What was read, and of which choices. `id` is another one for each result. */
type Result = {
  readonly id: number;
  readonly choices: AnalysisChoices;
  readonly read: ReadAnalysis;
};

/** What is known of the analysis of the account that is open. */
export type AnalysisState = { readonly profile: Profile | undefined } & (
  | { readonly kind: 'noAccount' | 'noLedger' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | (Result & { readonly kind: 'read' })
);

/** What the buttons of the page do. */
export type AnalysisActions = {
  /** Downloads what is missing; reports its own failures. */
  readonly fill: (gaps: readonly AnalysisGap[]) => void;
  /** Opens the panel of rows of the ledger. */
  readonly showStored: (rows: StoredRows) => void;
  /** Exports all positions or symbols of these choices. */
  readonly exportAnalysis: (choices: AnalysisChoices) => unknown;
  /** Opens the page of a position. */
  readonly showPosition: (position: RebuiltPosition) => void;
  /** Shows another period. */
  readonly showPeriod: (period: AnalysisChoices['period']) => void;
};

type DocumentOptions = AnalysisActions & {
  /** What is chosen now. */
  readonly choices: AnalysisChoices;
  readonly layout: ColumnLayout;
  readonly display: Display;
};

/** The page, whether or not there is something to analyse. */
export function analysisDocument(state: AnalysisState, options: DocumentOptions): LiveDocument {
  const { profile } = state;
  const { display } = options;
  const chosen = state.kind === 'read' ? state.choices : options.choices;
  return {
    ...emptyDocument(t('Analysis'), display, profile),
    choices:
      state.kind === 'read' ? choicesOf(chosen, state.read.analysis, assetsOf(state.read)) : [],
    chosen,
    buttons: state.kind === 'read' ? exportButtons(chosen, options) : [],
    sections: state.kind === 'read' ? sections(state, options) : [],
    ...beginning(state, display),
  };
}

function exportButtons(choices: AnalysisChoices, { exportAnalysis }: DocumentOptions): Action[] {
  if (choices.view !== 'positions' && choices.view !== 'bySymbol') return [];
  return [{ action: 'export', label: t('Export…'), run: () => exportAnalysis(choices) }];
}

function assetsOf({ analysis }: ReadAnalysis): Choice['options'] {
  return analysis.view === 'calendar' ? assetOptions(analysis.assets) : [];
}

/** What is wrong, or how to begin. */
function beginning(state: AnalysisState, display: Display): Partial<LiveDocument> {
  switch (state.kind) {
    case 'noAccount':
      return noAccount();
    case 'noLedger':
      return noLedger();
    case 'failed':
      return { notes: [errorText(state.error, display)] };
    case 'read':
      return {};
  }
}

/** What was chosen; in the summary, then the numbers of each asset and the drawdown. */
function sections(result: Result, options: DocumentOptions): LiveDocument['sections'] {
  const { choices, read } = result;
  const { display, fill } = options;
  const coverageOf = (covered: Covered, action: string): Live<Block>[] => {
    const run = (): void => fill(covered.coverage.gaps);
    return coverageBlocks(covered, display, { action, label: t('Fill Gaps'), run });
  };
  const view = viewOf(read.analysis, choices, display, options);
  const { coverage = coverageOf(read.analysis, 'fillGaps'), table } = view;
  const { notes = [viewNote(choices.view)] } = view;
  return [
    {
      // The chart of the summary is that of P&L.
      title: viewLabel(choices.view === 'summary' ? 'realizedPl' : choices.view),
      notes,
      blocks: table ? coverage : [...coverage, ...resultBlocks(view, result, options)],
    },
    ...(table ? [tableSection(table, view, result, options)] : []),
    ...(read.summary
      ? numberSections(read.summary, numbersCoverage(read, coverageOf), display)
      : []),
  ];
}

/** The charts or the rows; or why there are none. */
function resultBlocks(view: View, result: Result, options: DocumentOptions): Live<Block>[] {
  const { charts, calendar, field, emptyText = null } = view;
  const { display, showStored } = options;
  const rows = rowsShown(view, result.choices);
  if (rows) return [gridBlock(rows, view, result, options)];
  if (calendar) return [calendar];
  if (charts.length === 0)
    return [emptyText === null ? noRows(result.read.analysis, options) : emptyNotice(emptyText)];
  const shown = charts.map((chart, index) =>
    chartBlock(chart, `rows ${result.id} ${index}`, showStored),
  );
  if (!display.hides(field)) return shown;
  const show = { action: 'togglePrivacy', label: t('Show Amounts') } as const;
  return [emptyNotice(t('Amounts are hidden: no chart is drawn.'), show), ...shown];
}

/** A table, then the rows. */
function tableSection(
  table: Live<DocumentTable>,
  view: View,
  result: Result,
  options: DocumentOptions,
): Live<Section> {
  const rows = rowsShown(view, result.choices);
  const grid = rows ? [gridBlock(rows, view, result, options)] : [];
  return { title: table.title, notes: [], blocks: [{ kind: 'table', ...table }, ...grid] };
}

/** Those of the grid, with every digit: privacy hides nothing here. */
export function shownRows(
  { choices, read: { analysis } }: Result,
  display: Display,
): ViewRows | undefined {
  return rowsShown(viewOf(analysis, choices, display), choices);
}

/** Below a table, or in place of charts. */
function rowsShown(
  { table, charts, rows, hasRowsOnly = false }: View,
  { shownAs, view }: AnalysisChoices,
): ViewRows | undefined {
  const isInPlace = charts.length > 0 && shownAs === 'table' && view !== 'summary';
  return table || isInPlace || hasRowsOnly ? rows?.() : undefined;
}

const noActions = { showStored: () => undefined, showPosition: () => undefined };

function viewOf(
  analysis: ReadAnalysis['analysis'],
  { view, splitBy, asset }: AnalysisChoices,
  display: Display,
  actions: Pick<AnalysisActions, 'showStored' | 'showPosition'> = noActions,
): View {
  switch (analysis.view) {
    case 'cash':
      return cashView(analysis, display);
    case 'equity':
      return equityView(analysis, view === 'drawdown', display);
    case 'feeAudit':
      return feeAuditView(analysis, display);
    case 'positions':
      return positionsView(analysis, display, actions.showPosition);
    case 'bySymbol':
      return bySymbolView(analysis);
    case 'calendar':
      return calendarView(analysis, asset, display, actions.showStored);
    case 'realizedPl':
    case 'fees':
    case 'funding':
    case 'cashFlow':
      return sumsView(analysis, splitBy, display);
  }
}

/** Its action is of this result: a button of an earlier one does nothing. */
function chartBlock(
  { rowsAt, ...chart }: ViewChart,
  action: string,
  showStored: AnalysisActions['showStored'],
): Live<Block> {
  const open: Action = {
    action,
    label: t('Show Rows'),
    run: (at) => {
      const rows = rowsAt?.(at);
      if (rows) showStored(rows);
    },
  };
  return { ...chart, open: rowsAt && chart.data ? open : null };
}

function gridBlock(
  rows: ViewRows,
  { openRow, openLabel = t('Show Row') }: View,
  { id, choices }: Result,
  { layout, display, showStored }: DocumentOptions,
): Live<Block> {
  const run = ([row = -1]: readonly number[]): void => {
    const stored = openRow?.(row);
    if (stored) showStored(stored);
  };
  return {
    ...{ kind: 'grid', title: viewLabel(choices.view) },
    rows: gridRows(rows, id, layout, display),
    ...(openRow && { button: { action: `row ${id}`, label: openLabel, run } }),
  };
}

/** Rows of another period can be shown at once. Of a period in the future, nothing can be downloaded. */
function noRows(covered: Covered, options: DocumentOptions): Live<Block> {
  const { coverage } = covered;
  const { complete, gaps, byHistory } = coverage;
  const isPast = complete.length > 0 || gaps.length > 0;
  const areUnread = gaps.every(({ completeness }) => completeness === 'neverRead');
  const isUnread = areUnread && byHistory.every((each) => each.complete.length === 0);
  const partText = isUnread
    ? t('This period was not read yet.')
    : t('No rows in what was read of this period.');
  const text = gaps.length > 0 ? partText : t('No rows in this period.');
  const elsewhere = showRecorded(covered, options);
  return emptyNotice(text, elsewhere ?? (isPast ? downloadButton() : undefined));
}

/** Shows the days from the first row to the last one, if none of them is in the period. */
function showRecorded(
  { period, coverage: { recorded } }: Covered,
  { display, showPeriod }: DocumentOptions,
): Action | undefined {
  if (!recorded || clip([recorded], period).length > 0) return undefined;
  const { from, to } = wholeDays(recorded, display.zone);
  return {
    action: 'showRecorded',
    label: t('Show {0}', periodText({ from, to }, display)),
    run: () => showPeriod(`${from}/${to}`),
  };
}

/** The numbers need the rows of the chart above and more: their coverage is said if it is another one. */
function numbersCoverage(
  { analysis, summary }: ReadAnalysis,
  coverageOf: (covered: Covered, action: string) => Live<Block>[],
): Live<Block>[] {
  if (!summary) return [];
  const { gaps } = summary.numbers.coverage;
  const isOther = gaps.length !== analysis.coverage.gaps.length;
  return isOther ? coverageOf(summary.numbers, 'fillNumbersGaps') : [];
}

/** What the trades of the period came to, for each asset in which P&L is realised; then the drawdown. */
function numberSections(
  { numbers, equity }: NonNullable<ReadAnalysis['summary']>,
  coverage: readonly Live<Block>[],
  display: Display,
): LiveDocument['sections'] {
  const note = t(
    'A closed order is one whose fills realised a profit or a loss, all of them together.',
  );
  return [
    ...numbers.assets.map((asset, index) => ({
      title: t('Numbers · {0}', plAssetText(asset)),
      notes: [note],
      blocks: [
        ...(index === 0 ? coverage : []),
        { kind: 'cards', cards: assetCards(asset, numbers, display) } as const,
      ],
    })),
    {
      ...{ title: t('Equity'), notes: [] },
      blocks: [{ kind: 'cards', cards: [drawdownCard(equity, display)] }],
    },
  ];
}
