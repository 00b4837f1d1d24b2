import { l10n } from 'vscode';
import { originOf, type Profile } from '../../account/session/profile.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import {
  analysisChoicesSchema,
  type AnalysisButton,
  type AnalysisChoices,
  type AnalysisDocument,
  type AnalysisResult,
  type AnalysisNumbers,
  type CoverageTexts,
  type FillAction,
} from '../../protocol/analysisMessages.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import { errorText } from '../text/failureText.ts';
import { lengthText } from '../text/partOfPeriodText.ts';
import { pageAccount } from '../text/pageAccount.ts';
import { analysisCharts, viewFields, type ChartModel } from './analysisCharts.ts';
import { coverageTexts, isSameCoverage } from './coverageLine.ts';
import { analysisGrid, analysisRows, type AnalysisRows } from './analysisGrid.ts';
import type { FeeAudit, AssetNumbers, EquityAnalysis } from '../../ledger/analysis/analysis.ts';
import { auditNotes, deviationRows, marketTable } from './feeAuditParts.ts';
import type { ReadAnalysis } from './readAnalysis.ts';
import { plAssetText, toolsOf, unknownSignNote, viewLabel, viewNotes } from './analysisText.ts';
import { problemText, drawdownTexts, samplesTexts, waitingText } from './equityPoints.ts';
import { assetCards, card } from './numberCards.ts';
import type { Covered } from './partialFigures.ts';

/** What is known of the analysis of the account that is open. */
export type AnalysisState =
  | { readonly kind: 'noAccount' }
  | { readonly kind: 'noLedger' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'read';
      readonly id: number;
      /** What was chosen when it was read. */
      readonly choices: AnalysisChoices;
      readonly read: ReadAnalysis;
    };

type DocumentOptions = {
  readonly profile: Profile | undefined;
  readonly state: AnalysisState;
  /** What is chosen now. */
  readonly choices: AnalysisChoices;
  readonly layout: ColumnLayout;
  readonly display: Display;
};

/** A document, and what its requests refer to. */
export type AnalysisParts = {
  readonly document: AnalysisDocument;
  readonly charts: readonly ChartModel[];
  readonly rows: AnalysisRows | undefined;
};

/** The page, whether or not there is something to analyse. */
export function analysisParts(options: DocumentOptions): AnalysisParts {
  const { profile, state, display } = options;
  const shown = state.kind === 'read' ? resultParts(state, options) : undefined;
  const choices = state.kind === 'read' ? state.choices : options.choices;
  const views = analysisChoicesSchema.entries.view.options;
  return {
    document: {
      title: l10n.t('Analysis'),
      account: profile ? pageAccount(profile, originOf(profile)) : null,
      notes: stateNotes(state, display),
      buttons: stateButtons(state),
      choices,
      views: shown ? views.map((view) => ({ view, label: viewLabel(view) })) : [],
      tools: shown ? toolsOf(choices) : [],
      result: shown?.result ?? null,
      display: display.settings,
      hiddenWord: l10n.t('hidden'),
    },
    charts: shown?.charts ?? [],
    rows: shown?.rows,
  };
}

function stateNotes(state: AnalysisState, display: Display): string[] {
  const { t } = l10n;
  switch (state.kind) {
    case 'noAccount':
      return [t('No account is open.')];
    case 'noLedger':
      return [t('This account has no ledger. Download its history to start one.')];
    case 'failed':
      return [errorText(state.error, display)];
    case 'read':
      return [];
  }
}

function stateButtons({ kind }: AnalysisState): AnalysisButton[] {
  const { t } = l10n;
  switch (kind) {
    case 'noAccount':
      return [
        { action: 'tryPractice', label: t('Try the Practice Exchange') },
        { action: 'switchProfile', label: t('Switch Profile') },
      ];
    case 'noLedger':
      return [{ action: 'downloadHistory', label: t('Download History…') }];
    case 'failed':
    case 'read':
      return [];
  }
}

type ResultParts = {
  readonly result: AnalysisResult;
  readonly charts: readonly ChartModel[];
  readonly rows: AnalysisRows | undefined;
};

function resultParts(
  { id, choices, read }: Extract<AnalysisState, { kind: 'read' }>,
  { display, layout }: DocumentOptions,
): ResultParts {
  const { analysis, equity } = read;
  if (analysis.view === 'feeAudit') return auditParts(id, analysis, read, { display, layout });
  const charts = analysisCharts(analysis, choices, display);
  const hasRows = choices.isTable && charts.length > 0;
  const rows = hasRows ? analysisRows(analysis, choices, display) : undefined;
  // The coverage of transactions does not apply to samples.
  const ofRows = choices.view === 'equity' ? null : analysis;
  return {
    result: {
      id,
      coverage: ofRows ? coverageTexts(ofRows, 'fillGaps', display) : samplesTexts(equity, display),
      notes: isFeeSignUnknown(analysis) ? [unknownSignNote()] : [...viewNotes(choices.view)],
      empty: rows ? null : emptyText(read, choices, charts, display),
      charts: rows ? [] : charts.map(({ chart }) => chart),
      tables: [],
      showRow: null,
      grid: rows ? analysisGrid(rows, id, layout, display) : null,
      numbers: numberSections(read, ofRows, display),
    },
    charts,
    rows,
  };
}

function isFeeSignUnknown(analysis: ReadAnalysis['analysis']): boolean {
  return analysis.view === 'fees' && analysis.series.some(({ kind }) => kind === 'feeAsSent');
}

/** Nothing of it is drawn. */
function auditParts(
  id: number,
  audit: FeeAudit,
  read: ReadAnalysis,
  { display, layout }: Pick<DocumentOptions, 'display' | 'layout'>,
): ResultParts {
  const rows = audit.deviations.length > 0 ? deviationRows(audit) : undefined;
  return {
    result: {
      id,
      coverage: coverageTexts(audit, 'fillGaps', display),
      notes: [...viewNotes('feeAudit'), ...auditNotes(audit, display)],
      empty: audit.markets.length === 0 ? noRows(audit) : null,
      charts: [],
      tables: audit.markets.length === 0 ? [] : [marketTable(audit, display)],
      grid: rows ? analysisGrid(rows, id, layout, display) : null,
      showRow: rows ? l10n.t('Show Row') : null,
      numbers: numberSections(read, audit, display),
    },
    charts: [],
    rows,
  };
}

/** Why there is no chart. */
function emptyText(
  { analysis, equity }: ReadAnalysis,
  { view }: AnalysisChoices,
  charts: readonly ChartModel[],
  display: Display,
): AnalysisResult['empty'] {
  const { t } = l10n;
  if (charts.length > 0 && display.hides(viewFields[view]))
    return {
      text: t('Amounts are hidden: no chart is drawn.'),
      button: { action: 'togglePrivacy', label: t('Show Amounts') },
    };
  if (charts.length > 0) return null;
  const { drawdown } = equity;
  const waiting = waitingText(equity, display);
  if (analysis.view === 'equity' && waiting !== null) return { text: waiting, button: null };
  if (view === 'drawdown' && drawdown.problem !== null)
    return { text: problemText(drawdown.problem), button: null };
  if (view === 'equity')
    return {
      text: t('No samples of equity in this period. They are stored while the account is open.'),
      button: null,
    };
  return noRows(analysis);
}

/** Of a period in the future, nothing can be downloaded. */
function noRows({ coverage }: Covered): NonNullable<AnalysisResult['empty']> {
  const { t } = l10n;
  const { complete, gaps, byHistory } = coverage;
  const isPast = complete.length > 0 || gaps.length > 0;
  const areUnread = gaps.every(({ completeness }) => completeness === 'neverRead');
  const isUnread = areUnread && byHistory.every((each) => each.complete.length === 0);
  const partText = isUnread
    ? t('This period was not read yet.')
    : t('No rows in what was read of this period.');
  return {
    text: gaps.length > 0 ? partText : t('No rows in this period.'),
    button: isPast ? { action: 'downloadHistory', label: l10n.t('Download History…') } : null,
  };
}

/**
 * What the trades of the period came to, for each asset in which P&L is realised; then the drawdown. Each says
 * how complete it is, unless the view says the same above: `shown` is the coverage that it names.
 */
function numberSections(
  { numbers, equity }: Pick<ReadAnalysis, 'numbers' | 'equity'>,
  shown: Covered | null,
  display: Display,
): AnalysisNumbers[] {
  const unlessShown = (own: Covered, action: FillAction): CoverageTexts | null =>
    shown && isSameCoverage(own, shown, display) ? null : coverageTexts(own, action, display);
  return [
    ...numbers.assets.map((asset, index) => ({
      ...numbersSection(asset, numbers, display),
      coverage: index > 0 ? null : unlessShown(numbers, 'fillNumbersGaps'),
    })),
    {
      ...drawdownSection(equity, display),
      coverage: unlessShown(equity, 'fillDrawdownGaps'),
    },
  ];
}

type Section = Omit<AnalysisNumbers, 'coverage'>;

function numbersSection(numbers: AssetNumbers, covered: Covered, display: Display): Section {
  const { t } = l10n;
  return {
    title: t('Numbers · {0}', plAssetText(numbers)),
    notes: [
      t('A closed order is one whose fills realised a profit or a loss, all of them together.'),
    ],
    cards: assetCards(numbers, covered, display),
  };
}

function drawdownSection(equity: EquityAnalysis, display: Display): Section {
  const { drawdown } = equity;
  const { t } = l10n;
  const waiting = waitingText(equity, display);
  const longest = drawdown.problem === null ? drawdown.longest : null;
  const text = longest ? lengthText(longest, display) : t('none');
  const found = drawdown.problem === null ? text : t('not computable');
  const notes = waiting === null ? drawdownTexts(equity, display) : [waiting];
  return {
    title: t('Equity'),
    notes: [],
    cards: [card(t('Longest drawdown'), [{ text: waiting === null ? found : unknownText }], notes)],
  };
}
