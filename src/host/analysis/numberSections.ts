import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import type {
  AnalysisCoverage,
  AssetNumbers,
  EquityAnalysis,
} from '../../ledger/analysis/analysis.ts';
import type {
  AnalysisNumbers,
  CoverageTexts,
  FillAction,
} from '../../protocol/analysisMessages.ts';
import { coverageTexts, periodText, isSameCoverage } from './coverageLine.ts';
import { drawdownTexts } from './equityPoints.ts';
import { assetCards, card } from './numberCards.ts';
import type { ReadAnalysis } from './readAnalysis.ts';

/**
 * What the trades of the period came to, for each asset in which P&L is realised; then the drawdown. Each says
 * how complete it is, unless the view says the same above: `shown` is the coverage that it names.
 */
export function numberSections(
  { numbers, equity }: Pick<ReadAnalysis, 'numbers' | 'equity'>,
  shown: AnalysisCoverage | null,
  display: Display,
): AnalysisNumbers[] {
  const unlessShown = (own: AnalysisCoverage, action: FillAction): CoverageTexts | null =>
    shown && isSameCoverage(own, shown, display) ? null : coverageTexts(own, action, display);
  return [
    ...numbers.assets.map((asset, index) => ({
      ...numbersSection(asset, display),
      coverage: index > 0 ? null : unlessShown(numbers.coverage, 'fillNumbersGaps'),
    })),
    {
      ...drawdownSection(equity, display),
      coverage: unlessShown(equity.coverage, 'fillDrawdownGaps'),
    },
  ];
}

type Section = Omit<AnalysisNumbers, 'coverage'>;

function numbersSection(numbers: AssetNumbers, display: Display): Section {
  const { t } = l10n;
  return {
    title: t('Numbers · {0}', cleanText(numbers.asset, 20)),
    notes: [
      t('A closed order is one whose fills realised a profit or a loss, all of them together.'),
    ],
    cards: assetCards(numbers, display),
  };
}

function drawdownSection(equity: EquityAnalysis, display: Display): Section {
  const { drawdown } = equity;
  const { t } = l10n;
  const longest = drawdown.problem === null ? drawdown.longest : null;
  const text =
    drawdown.problem !== null
      ? t('not computable')
      : longest
        ? periodText(longest, display)
        : t('none');
  return {
    title: t('Equity'),
    notes: [],
    cards: [card(t('Longest drawdown'), [{ text }], drawdownTexts(equity, display))],
  };
}
