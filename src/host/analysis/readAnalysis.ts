import { earliestMs } from '../../base/time.ts';
import { lastDays } from '../../base/timeZone.ts';
import type { Display } from '../../base/display.ts';
import type {
  AnalysisOf,
  AnalysisReader,
  AnalysisRequest,
  AnalysisView,
} from '../../ledger/analysis/analysis.ts';
import type { AnalysisChoices } from '../../protocol/analysisMessages.ts';
import { analysedView, splitsOf, type ChosenView } from './analysisText.ts';

/** The view that was chosen, with the numbers and the equity of the same period. */
export type ReadAnalysis = {
  readonly analysis: AnalysisOf<ReturnType<typeof analysedView>>;
  readonly numbers: AnalysisOf<'numbers'>;
  readonly equity: AnalysisOf<'equity'>;
};

/** `now` is in epoch milliseconds of the exchange. Rejects with LedgerError. */
export async function readAnalysis(
  reader: AnalysisReader,
  choices: AnalysisChoices,
  display: Display,
  now: number,
): Promise<ReadAnalysis> {
  const { groupBy, account } = choices;
  const asked = {
    period: periodOf(choices, display, now),
    now,
    zone: display.zone.name,
    groupBy,
    splitBy: splitOf(choices),
    account,
  };
  const ask = <View extends AnalysisView>(view: View): Promise<AnalysisOf<View>> =>
    reader.analyse<View>({ ...asked, view } satisfies AnalysisRequest<View>);
  const view = analysedView(choices.view);
  const [equity, numbers] = await Promise.all([ask('equity'), ask('numbers')]);
  return { analysis: view === 'equity' ? equity : await ask(view), numbers, equity };
}

function periodOf(
  { days, dates }: AnalysisChoices,
  { zone }: Display,
  now: number,
): AnalysisRequest['period'] {
  if (!dates) return days === null ? {} : lastDays(days, now, zone);
  // Typed dates may be years before the first row or after today: nothing is drawn there.
  const from = dates.from === null ? undefined : Math.max(dates.from, earliestMs);
  const to = dates.to === null ? undefined : Math.min(dates.to, lastDays(1, now, zone).to);
  return { from, to };
}

/** A split that the view does not have stays chosen for the next view that has it. */
function splitOf({ view, splitBy }: AnalysisChoices): AnalysisChoices['splitBy'] {
  return splitsOf(view satisfies ChosenView).includes(splitBy) ? splitBy : 'asset';
}
