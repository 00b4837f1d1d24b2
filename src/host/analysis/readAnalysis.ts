import { earliestMs, minuteMs } from '../../base/time.ts';
import { lastDays } from '../../base/timeZone.ts';
import type { Display } from '../../base/display.ts';
import type { AnalysisOf, AnalysisRequest, AnalysisView } from '../../ledger/analysis/analysis.ts';
import type { AnalysisChoices } from '../../protocol/analysisMessages.ts';
import type { OpenLedger } from '../ledger/openLedger.ts';
import { analysedView, splitsOf, type ChosenView } from './analysisText.ts';

/** The view that was chosen, with the numbers and the equity of the same period. */
export type ReadAnalysis = {
  readonly analysis: AnalysisOf<ReturnType<typeof analysedView>>;
  readonly numbers: AnalysisOf<'numbers'>;
  readonly equity: AnalysisOf<'equity'>;
};

/** The numbers that were read last, and what they follow from: the ledger, its rows, the period. */
export type KnownNumbers = { readonly basis: string; readonly numbers: AnalysisOf<'numbers'> };

/**
 * `now` is in epoch milliseconds of the exchange. Numbers are the slowest to compute, and another view,
 * group or split leaves them as they are. Rejects with LedgerError.
 */
export async function readAnalysis(
  { id, reader }: Pick<OpenLedger, 'id' | 'reader'>,
  choices: AnalysisChoices,
  display: Display,
  now: number,
  known?: KnownNumbers,
): Promise<{ readonly read: ReadAnalysis; readonly known: KnownNumbers }> {
  const { groupBy, account } = choices;
  const period = periodOf(choices, display, now);
  const asked = {
    period,
    now,
    zone: display.zone.name,
    groupBy,
    splitBy: splitOf(choices),
    account,
  };
  const ask = <View extends AnalysisView>(view: View): Promise<AnalysisOf<View>> =>
    reader.analyse<View>({ ...asked, view } satisfies AnalysisRequest<View>);
  const view = analysedView(choices.view);
  // How complete they are depends on the time, too.
  const tenMinutes = Math.floor(now / (10 * minuteMs));
  const basis = JSON.stringify([id, await reader.versions(), period, asked.zone, tenMinutes]);
  // A checkpoint may prove the sign of fees, and is no change of rows.
  const isSignKnown = known?.numbers.assets.every(({ feesPaid }) => feesPaid !== null);
  const [equity, numbers] = await Promise.all([
    ask('equity'),
    isSignKnown && known?.basis === basis ? known.numbers : ask('numbers'),
  ]);
  const analysis = view === 'equity' ? equity : await ask(view);
  return { read: { analysis, numbers, equity }, known: { basis, numbers } };
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
