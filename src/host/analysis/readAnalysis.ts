import { earliestMs, minuteMs } from '../../base/time.ts';
import { lastDays } from '../../base/timeZone.ts';
import type { Display } from '../../base/display.ts';
import type { AnalysisOf, AnalysisRequest, AnalysisView } from '../../ledger/analysis/analysis.ts';
import type { OpenLedger } from '../ledger/openLedger.ts';
import { analysedView, type AnalysisChoices } from './choices.ts';

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
  { view, groupBy, splitBy, account, ...choices }: AnalysisChoices,
  display: Display,
  now: number,
  known?: KnownNumbers,
): Promise<{ readonly read: ReadAnalysis; readonly known: KnownNumbers }> {
  const period = periodOf(choices.period, display, now);
  const zone = display.zone.name;
  const asked = { period, now, zone, groupBy, splitBy, account };
  const ask = <View extends AnalysisView>(of: View): Promise<AnalysisOf<View>> =>
    reader.analyse<View>({ ...asked, view: of } satisfies AnalysisRequest<View>);
  // How complete they are depends on the time, too.
  const tenMinutes = Math.floor(now / (10 * minuteMs));
  const basis = JSON.stringify([id, await reader.versions(), period, zone, tenMinutes]);
  // A checkpoint may prove the sign of fees, and is no change of rows.
  const isSignKnown = known?.numbers.assets.every(({ feesPaid }) => feesPaid !== null);
  const [equity, numbers] = await Promise.all([
    ask('equity'),
    isSignKnown && known?.basis === basis ? known.numbers : ask('numbers'),
  ]);
  const analysed = analysedView(view);
  const analysis = analysed === 'equity' ? equity : await ask(analysed);
  return { read: { analysis, numbers, equity }, known: { basis, numbers } };
}

function periodOf(
  period: AnalysisChoices['period'],
  { zone }: Display,
  now: number,
): AnalysisRequest['period'] {
  if (period === '') return {};
  const [from = '', to] = period.split('/');
  if (to === undefined) return lastDays(Number(from), now, zone);
  // Typed dates may be years before the first row or after today: nothing is drawn there.
  return {
    from: from === '' ? undefined : Math.max(Number(from), earliestMs),
    to: to === '' ? undefined : Math.min(Number(to), lastDays(1, now, zone).to),
  };
}
