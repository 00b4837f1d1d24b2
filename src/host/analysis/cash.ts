import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { isZero } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { subtract } from '../../base/interval.ts';
import type { CashAnalysis, CashCurve } from '../../ledger/analysis/analysis.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import { bucketChart, summaryText, type View, type ViewChart } from './series.ts';
import { viewLabel } from './choices.ts';
import { chartGaps } from './coverage.ts';
import { figureColumns, fromColumn, partCells, rowsOf, timeCell, type ViewRows } from './grid.ts';

const field = 'total';

/** The assets that moved, then one line of text of the others. One that was not there at all is left out. */
export function cashView(analysis: CashAnalysis, display: Display): View {
  const curves = analysis.curves.filter((each) => hasMoved(each) || !each.values.every(isZero));
  const still = curves.filter((curve) => !hasMoved(curve));
  const moved = curves.filter(hasMoved).map((curve) => cashChart(curve, analysis, display));
  return {
    field,
    charts: still.length === 0 ? moved : [...moved, stillChart(still, analysis, display)],
    rows: () => cashRows(curves, analysis, display),
  };
}

function hasMoved({ counts }: CashCurve): boolean {
  return counts.some((count) => count > 0);
}

function stillChart(
  curves: readonly CashCurve[],
  analysis: CashAnalysis,
  display: Display,
): ViewChart {
  const amounts = curves.map(
    ({ asset, opening }) => `${fullFigure(opening, { field }, display)} ${cleanText(asset, 20)}`,
  );
  const parts = { title: l10n.t('Without movement'), unit: '', field } as const;
  return bucketChart(analysis, 'steps', { ...parts, summary: amounts.join(' · ') }, [], display);
}

/** No line over days that were not read. */
function cashChart(
  { asset, basis, opening, values, counts, selection }: CashCurve,
  analysis: CashAnalysis,
  display: Display,
): ViewChart {
  const { t } = l10n;
  const gaps = chartGaps(analysis);
  const drawn = values.map((value, point) =>
    subtract(analysis.buckets.slice(point, point + 1), gaps).length === 0 ? null : value,
  );
  const unit = cleanText(asset, 20);
  const label = basis === 'change' ? t('Change of cash') : t('Cash');
  const first = fullFigure(opening, { field }, display);
  const last = fullFigure(values.at(-1) ?? opening, { field }, display);
  const lead = t('From {0} to {1} {2}.', first, last, unit);
  const summary = summaryText(lead, [opening, ...values], field, display);
  const parts = { title: unit, unit, field, summary, notes: basisNotes(basis) } as const;
  return bucketChart(
    analysis,
    'steps',
    parts,
    [{ label, values: drawn, counts, selection }],
    display,
  );
}

function basisNotes(basis: CashCurve['basis']): string[] {
  const { t } = l10n;
  return {
    deposited: [t('From the deposited balance, which these transactions are known to change.')],
    balance: [],
    change: [t('Earlier transactions are unknown, so the line starts at 0.')],
  }[basis];
}

/** What cash was also depends on what came before. */
function cashRows(
  curves: readonly CashCurve[],
  analysis: CashAnalysis,
  display: Display,
): ViewRows {
  const { buckets, period } = analysis;
  const columns = [fromColumn(), ...figureColumns(field, viewLabel('cash'), analysis)];
  const rows = curves.flatMap(({ asset, basis, values, counts }) => {
    const shown = cleanText(asset, 40);
    const unit = basis === 'change' ? l10n.t('{0}, starts at 0', shown) : shown;
    return buckets.map(({ from, to }, point) => ({
      at: from,
      key: JSON.stringify([from, asset]),
      cells: [
        ...[timeCell(from), values[point] ?? null, unit, String(counts[point] ?? 0)],
        ...partCells(analysis, { from: period.from, to }, display),
      ],
    }));
  });
  return rowsOf(columns, rows);
}
