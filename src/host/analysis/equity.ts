import { cleanText } from '../../base/cleanText.ts';
import { unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { subtract } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { Drawdown, EquityAnalysis } from '../../ledger/analysis/analysis.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';
import type { Card, CoverageBlock } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import { lengthText, partOfPeriodText } from '../text/partOfPeriodText.ts';
import type { Live } from '../webview/documentPanel.ts';
import { card } from '../webview/documentParts.ts';
import { chartOf, summaryText, type View, type ViewChart } from './series.ts';
import { viewLabel } from './choices.ts';
import { minuteText, periodText } from './coverage.ts';
import { column, fromColumn, rowsOf, timeCell, type Row, type ViewRows } from './grid.ts';

const field = 'equity';

/** The equity, or how far it fell. */
export function equityView(equity: EquityAnalysis, isDrawdown: boolean, display: Display): View {
  const { drawdown } = equity;
  const falls = drawdown.problem === null ? drawdown.values : [];
  const values = isDrawdown ? falls : equity.values;
  const isShown = values.length > 0 && waitingText(equity, display) === null;
  return {
    field,
    charts: isShown ? [equityChart(equity, values, isDrawdown, display)] : [],
    rows: () => (isDrawdown ? drawdownRows(equity, falls) : equityRows(equity)),
    // The coverage of transactions does not apply to samples.
    coverage: isDrawdown ? undefined : samplesBlocks(equity, display),
    emptyText: emptyText(equity, isDrawdown, display),
  };
}

function equityChart(
  equity: EquityAnalysis,
  values: readonly (NumberText | null)[],
  isDrawdown: boolean,
  display: Display,
): ViewChart {
  const points = equityPoints(equity, values);
  const unit = equity.unit === null ? '' : cleanText(equity.unit, 20);
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0] ?? '0', known.at(-1) ?? '0'];
  const [from, to] = [first, last].map((value) => fullFigure(value, { field }, display));
  const lead = t('From {0} to {1}.', from ?? '', to ?? '');
  const label = viewLabel(isDrawdown ? 'drawdown' : 'equity');
  const parts = {
    ...({ field, unit, points: 'moment' } as const),
    title: unit === '' ? label : `${label} · ${unit}`,
    summary: summaryText(lead, values, field, display),
    notes: isDrawdown ? drawdownTexts(equity, display) : [],
  };
  const data: ChartData = {
    ...{ kind: 'line', from: points.map(({ time }) => time), to: points.at(-1)?.time ?? 0 },
    gaps: [],
    series: [{ label, values: points.map(({ value }) => value), rows: null, isWider: false }],
  };
  return chartOf(parts, data, display);
}

function equityRows({ buckets, groups }: EquityAnalysis): ViewRows {
  const columns = [
    ...[fromColumn(), column('first', t('First')), column('lowest', t('Lowest'))],
    ...[column('highest', t('Highest')), column('equity', t('Last')), column('rows', t('Samples'))],
  ];
  const rows = buckets.flatMap(({ from }, point): Row[] => {
    const group = groups[point];
    if (!group) return [];
    const { first, lowest, highest, last, samples } = group;
    const cells = [timeCell(from), first, lowest, highest, last, String(samples)];
    return [{ at: from, key: String(from), cells }];
  });
  return rowsOf(columns, rows);
}

function drawdownRows({ times }: EquityAnalysis, falls: readonly (NumberText | null)[]): ViewRows {
  const columns = [column('time', t('Time'), 'time'), column('equity', viewLabel('drawdown'))];
  const rows = falls.map((value, point) => {
    const at = times[point] ?? 0;
    return { at, key: String(at), cells: [timeCell(at), value] };
  });
  return rowsOf(columns, rows);
}

/** The samples with a point without a value in the middle of each gap: the line ends there. */
function equityPoints(
  { times, gaps }: EquityAnalysis,
  values: readonly (NumberText | null)[],
): readonly { readonly time: number; readonly value: NumberText | null }[] {
  const samples = times.map((time, index) => ({ time, value: values[index] ?? null }));
  const middles = gaps.map(({ from, to }) => ({ time: Math.floor((from + to) / 2), value: null }));
  return [...samples, ...middles].toSorted((one, other) => one.time - other.time);
}

/**
 * How much of the period up to now lies between samples, and whether that is a day, or half of a period that is
 * shorter than two; null without any.
 */
function sampledPart(
  { times, gaps, period, coverage }: EquityAnalysis,
  display: Display,
): { readonly text: string; readonly isEnough: boolean } | null {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  const looked = [...coverage.gaps, ...coverage.complete].map(({ to }) => to);
  const whole = { from: period.from, to: Math.min(period.to, Math.max(last, ...looked)) };
  const parts = subtract([{ from: first, to: last }], gaps);
  const sampledMs = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    text: t('Samples cover {0}', partOfPeriodText(parts, whole, display)),
    isEnough: sampledMs >= Math.min(dayMs, (whole.to - whole.from) / 2),
  };
}

/** From when to when equity is known. What was not sampled cannot be read later. */
function samplesBlocks(equity: EquityAnalysis, display: Display): Live<CoverageBlock>[] {
  const { times, gaps } = equity;
  const sampled = sampledPart(equity, display);
  if (!sampled) return [];
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const ends = `${minuteText(first, display)} – ${minuteText(last, display)}`;
  const count = display.count(gaps.length);
  const gapText = gaps.length === 1 ? t('1 gap between them') : t('{0} gaps between them', count);
  const text = [sampled.text, ends, ...(gaps.length === 0 ? [] : [gapText])].join(' · ');
  const isComplete = gaps.length === 0 && sampled.isEnough;
  return [{ kind: 'coverage', text, isComplete, gaps: [], gapsLabel: '', button: null }];
}

export function drawdownCard(equity: EquityAnalysis, display: Display): Live<Card> {
  const { drawdown } = equity;
  const waiting = waitingText(equity, display);
  const longest = drawdown.problem === null ? drawdown.longest : null;
  const length = longest ? lengthText([longest], display) : t('none');
  const found = drawdown.problem === null ? length : t('not computable');
  const label = t('Longest drawdown');
  return waiting === null
    ? card(label, [{ text: found }], drawdownTexts(equity, display))
    : card(label, [{ text: unknownText }], [waiting]);
}

/** How a drawdown was computed, or why it was not. */
function drawdownTexts(equity: EquityAnalysis, display: Display): string[] {
  const { drawdown, unit } = equity;
  if (drawdown.problem !== null) return [problemText(drawdown.problem)];
  const sampled = sampledPart(equity, display);
  const shownUnit = unit === null ? '' : ` ${cleanText(unit, 20)}`;
  const figure = (amount: NumberText): string =>
    fullFigure(amount, { field: 'equity' }, display) + shownUnit;
  return [
    ...(sampled ? [`${sampled.text}.`] : []),
    ...[flowsText(drawdown.flows, display), ...dropTexts(drawdown, figure, display)],
  ];
}

/** Why neither equity nor a drawdown is shown yet; null once there is enough of them. */
function waitingText(equity: EquityAnalysis, display: Display): string | null {
  const sampled = sampledPart(equity, display);
  if (!sampled || sampled.isEnough) return null;
  return t('{0}. Equity and drawdown are shown once they cover a day.', sampled.text);
}

/** Why neither is shown. */
function emptyText(equity: EquityAnalysis, isDrawdown: boolean, display: Display): string | null {
  const { problem } = equity.drawdown;
  const waiting = waitingText(equity, display);
  if (waiting !== null) return waiting;
  if (isDrawdown) return problem && problemText(problem);
  return t('No samples of equity in this period. They are stored while the account is open.');
}

function problemText(problem: NonNullable<Drawdown['problem']>): string {
  return {
    noSamples: t('Not computable: there are fewer than two samples.'),
    notCovered: t('Not computable: transactions of this period may be missing, and so a deposit.'),
    unknownUnit: t(
      'Not computable: there were deposits or withdrawals, and the asset of equity is unknown.',
    ),
    notLearned: t(
      'Not computable: there were deposits or withdrawals, and it is not known yet which transactions the balance follows.',
    ),
    unexplainedFlow: t(
      'Not computable: samples and transactions disagree about a deposit, withdrawal or transfer.',
    ),
  }[problem];
}

function flowsText(flows: number, display: Display): string {
  return flows === 1
    ? t('1 deposit, withdrawal or transfer was taken out.')
    : t('{0} deposits, withdrawals and transfers were taken out.', display.count(flows));
}

function dropTexts(
  { deepest, longest }: Extract<Drawdown, { problem: null }>,
  figure: (amount: NumberText) => string,
  display: Display,
): string[] {
  return [
    ...(deepest
      ? [t('Deepest: {0}, {1}.', figure(deepest.amount), periodText(deepest, display))]
      : []),
    ...(longest
      ? [
          longest.isOver
            ? t('Longest: {0}, {1}.', periodText(longest, display), figure(longest.amount))
            : t(
                'Longest: {0}, {1}; ongoing.',
                periodText(longest, display),
                figure(longest.amount),
              ),
        ]
      : []),
  ];
}
