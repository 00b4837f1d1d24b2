import { always, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { earliestMs, minuteMs } from '../../base/time.ts';
import { lastDays } from '../../base/timeZone.ts';
import type { Display } from '../../base/display.ts';
import type { AnalysisOf, AnalysisRequest, AnalysisView } from '../../ledger/analysis/analysis.ts';
import type { OpenLedger } from '../ledger/openLedger.ts';
import { analysedView, type AnalysisChoices } from './choices.ts';

/** The numbers and the equity of a period. */
type Summary = {
  readonly numbers: AnalysisOf<'numbers'>;
  readonly equity: AnalysisOf<'equity'>;
};

/** The view that was chosen. Only the summary has numbers: each analysis that is not read saves its time. */
export type ReadAnalysis = {
  readonly analysis: AnalysisOf<ReturnType<typeof analysedView>>;
  readonly summary: Summary | null;
};

/** The numbers that were read last, and what they follow from. */
type KnownNumbers = {
  /** The ledger, its rows, and the period. */
  readonly basis: string;
  /** The version of its checkpoints. */
  readonly checkpoints: string;
  readonly numbers: AnalysisOf<'numbers'>;
};

/** Reads analyses. Numbers are the slowest to compute: they are read again only if they may be others. */
export class AnalysisReads {
  private known: KnownNumbers | undefined;

  /** `now` is in epoch milliseconds of the exchange. Rejects with LedgerError. */
  async read(
    { id, reader }: Pick<OpenLedger, 'id' | 'reader'>,
    { view, groupBy, splitBy, account, ...choices }: AnalysisChoices,
    display: Display,
    now: number,
  ): Promise<ReadAnalysis> {
    const period = periodOf(choices.period, display, now);
    const zone = display.zone.name;
    const isSummary = view === 'summary';
    const asked = { period, now, zone, groupBy, splitBy: isSummary ? 'asset' : splitBy, account };
    const ask = <View extends AnalysisView>(of: View): Promise<AnalysisOf<View>> =>
      reader.analyse<View>({ ...asked, view: of } satisfies AnalysisRequest<View>);
    if (!isSummary) return { analysis: await ask(analysedView(view)), summary: null };
    const { checkpoints, ...rows } = await reader.versions();
    // How complete they are depends on the time, too.
    const tenMinutes = Math.floor(now / (10 * minuteMs));
    const basis = JSON.stringify([id, rows, period, zone, tenMinutes]);
    const [analysis, numbers, equity] = await Promise.all([
      ask(analysedView(view)),
      this.knownFor(basis, checkpoints) ?? ask('numbers'),
      ask('equity'),
    ]);
    this.known = { basis, checkpoints, numbers };
    return { analysis, summary: { numbers, equity } };
  }

  private knownFor(basis: string, checkpoints: string): AnalysisOf<'numbers'> | undefined {
    const { known } = this;
    if (known?.basis !== basis) return undefined;
    const { numbers } = known;
    // Another checkpoint may prove the sign of fees.
    const isSignKnown = numbers.assets.every(({ feesPaid }) => feesPaid !== null);
    return isSignKnown || known.checkpoints === checkpoints ? numbers : undefined;
  }
}

function periodOf(period: AnalysisChoices['period'], { zone }: Display, now: number): Interval {
  if (period === '') return always;
  const [from = '', to] = period.split('/');
  if (to === undefined) return lastDays(Number(from), now, zone);
  // Typed dates may be years before the first row or after today: nothing is drawn there.
  return {
    from: from === '' ? openStart : Math.max(Number(from), earliestMs),
    to: to === '' ? openEnd : Math.min(Number(to), lastDays(1, now, zone).to),
  };
}
