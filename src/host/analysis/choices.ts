import * as v from 'valibot';
import { accountTypes } from '../../api/operations.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { always, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { earliestMs, minuteMs } from '../../base/time.ts';
import { periodDays, lastDays, wholeDays } from '../../base/timeZone.ts';
import {
  analysisGroups,
  analysisSplits,
  factsOf,
  type AnalysisSplit,
  type AnalysisView,
  type AnalysisOf,
  type AnalysisRequest,
  type PositionFilter,
} from '../../ledger/analysis/analysis.ts';
import type { Choice, Choices } from '../../protocol/document.ts';
import type { OpenLedger } from '../ledger/openLedger.ts';
import { t } from '../shared/translate.ts';

type AnalysedView = Exclude<AnalysisView, 'numbers'>;
type ChosenView = AnalysedView | 'summary' | 'drawdown';

/** What is read for each view, in the order of their tabs. A drawdown is read with the equity that it is of. */
export const analysedViews: Readonly<Record<ChosenView, AnalysedView>> = {
  summary: 'realizedPl',
  realizedPl: 'realizedPl',
  fees: 'fees',
  funding: 'funding',
  cashFlow: 'cashFlow',
  cash: 'cash',
  equity: 'equity',
  drawdown: 'equity',
  feeAudit: 'feeAudit',
  positions: 'positions',
  bySymbol: 'bySymbol',
  calendar: 'calendar',
};
const views = Object.keys(analysedViews) as readonly ChosenView[];
/** The last days, two moments with `/` between them, or everything. */
const period = v.pipe(v.string(), v.regex(/^(?:\d{1,2}|-?\d{0,16}\/-?\d{0,16})?$/));

const directions = ['LONG', 'SHORT'] as const;
const results = ['won', 'lost', 'undecided'] as const;
/** A page takes no longer value of a choice. */
const longestSymbol = 60;

/** What an analysis is of, as the page has it. What is not known is as the page opens. */
const choicesSchema = v.object({
  view: v.fallback(v.picklist(views), 'summary'),
  period: v.fallback(period, '30'),
  groupBy: v.fallback(v.picklist(analysisGroups), 'day'),
  splitBy: v.fallback(v.picklist(analysisSplits), 'asset'),
  account: v.fallback(v.picklist(accountTypes), 'FUTURE'),
  shownAs: v.fallback(v.picklist(['chart', 'table']), 'chart'),
  symbol: v.fallback(v.string(), ''),
  direction: v.fallback(v.picklist(['', ...directions]), ''),
  result: v.fallback(v.picklist(['', ...results]), ''),
  asset: v.exactOptional(v.fallback(v.string(), '')),
});
export type AnalysisChoices = Readonly<v.InferOutput<typeof choicesSchema>>;

export function readChoices(choices: Choices): AnalysisChoices {
  return v.parse(choicesSchema, choices);
}

/** The page as it opens. */
export const firstChoices = readChoices({});

/** What can be chosen: the view, and what it has beside it. `assets` are those of a calendar. */
export function choicesOf(
  { view, symbol }: AnalysisChoices,
  analysis: ReadAnalysis['analysis'],
  assets: Choice['options'],
): Choice[] {
  const menu = { kind: 'menu' } as const;
  const groups = { day: t('Day'), week: t('Week'), month: t('Month') };
  const isSummary = view === 'summary';
  const { splits, hasBuckets, histories } = factsOf(analysedViews[view]);
  const ownSplits = isSummary ? [] : splits;
  const group = { ...menu, name: 'groupBy', label: t('Group') };
  const split = { ...menu, name: 'splitBy', label: t('Split') };
  const account = { ...menu, name: 'account', label: t('Account type') };
  const hasAccount = histories.includes('transactions');
  return [
    { kind: 'tabs', name: 'view', label: t('View'), options: optionsOf(views, viewLabel) },
    { ...menu, name: 'period', label: t('Period'), options: periodOptions(), takesDates: true },
    ...(!hasBuckets
      ? []
      : [{ ...group, options: optionsOf(analysisGroups, (each) => groups[each]) }]),
    ...(ownSplits.length > 1 ? [{ ...split, options: optionsOf(ownSplits, splitLabel) }] : []),
    ...(assets.length > 1 ? [{ ...menu, name: 'asset', label: t('Asset'), options: assets }] : []),
    ...(hasAccount ? [{ ...account, options: optionsOf(accountTypes, (each) => each) }] : []),
    ...(!hasBuckets || isSummary ? [] : [shownAsChoice()]),
    ...(analysis.view === 'positions' ? positionFilters(symbol, analysis.symbols) : []),
  ];
}

/** A symbol that is chosen stays among them. */
function positionFilters(chosen: string, symbols: readonly string[]): Choice[] {
  const filter = (name: string, label: string, options: Choice['options']): Choice => {
    return { kind: 'menu', name, label, options: [{ value: '', label: t('All') }, ...options] };
  };
  const short = [...symbols, chosen].filter(({ length }) => length > 0 && length <= longestSymbol);
  const named = optionsOf([...new Set(short)], (symbol) => cleanText(symbol, 40));
  const resultTexts = { won: t('won'), lost: t('lost'), undecided: t('undecided') };
  return [
    filter('symbol', t('Symbol'), named),
    filter('direction', t('Direction'), optionsOf(directions, directionText)),
    filter(
      'result',
      t('Result'),
      optionsOf(results, (each) => resultTexts[each]),
    ),
  ];
}

export function directionText(direction: (typeof directions)[number]): string {
  return { LONG: t('long'), SHORT: t('short') }[direction];
}

function optionsOf<Value extends string>(
  values: readonly Value[],
  label: (value: Value) => string,
): Choice['options'] {
  return values.map((value) => ({ value, label: label(value) }));
}

function periodOptions(): Choice['options'] {
  const ofDays = periodDays.map((days) => {
    return { value: String(days), label: days === 1 ? t('Today') : t('Last {0} days', days) };
  });
  return [...ofDays, { value: '', label: t('All') }];
}

function shownAsChoice(): Choice {
  const labels = { chart: t('Show as Chart'), table: t('Show as Table') };
  const options = optionsOf(['chart', 'table'] as const, (each) => labels[each]);
  return { kind: 'switch', name: 'shownAs', label: '', options };
}

export function viewLabel(view: ChosenView): string {
  return {
    summary: t('Summary'),
    realizedPl: t('Realised P&L'),
    fees: t('Fees'),
    funding: t('Funding'),
    cashFlow: t('Cash flow'),
    cash: t('Cash'),
    equity: t('Equity'),
    drawdown: t('Drawdown'),
    feeAudit: t('Fee audit'),
    positions: t('Closed positions'),
    bySymbol: t('By symbol'),
    calendar: t('Calendar'),
  }[view];
}

/** What the figures of a view are, and which way they point. */
export function viewNote(view: ChosenView): string {
  const gross = t('Gross: before fees and funding.');
  return {
    ...{ summary: gross, realizedPl: gross },
    fees: t('Fees you paid are negative, rebates are positive.'),
    funding: t('Payments you made are negative. The API names no symbol of a payment.'),
    cashFlow: t('Deposits, withdrawals, transfers and rewards. What left is negative.'),
    cash: t('The sum of all transactions, at the end of each day, week or month.'),
    equity: t('Stored samples only. A gap in the line means that none were stored.'),
    drawdown: t('Fall from the highest equity, excluding deposits and withdrawals.'),
    feeAudit: t(
      'Each trade’s fee beside the rate of the account’s tier at that time. Rounding never counts.',
    ),
    positions: t(
      'Positions from flat to flat, rebuilt from trades. What is not certain is undecided, never guessed.',
    ),
    bySymbol: t('What no record names the symbol of is of several symbols.'),
    calendar: t(
      'Net P&L by day of two years at most: gross less fees, with funding and liquidation fees.',
    ),
  }[view];
}

export function splitLabel(split: AnalysisSplit): string {
  return { asset: t('None'), symbol: t('Symbol'), side: t('Side'), type: t('Type') }[split];
}

/** The numbers and the equity of a period. */
type Summary = {
  readonly numbers: AnalysisOf<'numbers'>;
  readonly equity: AnalysisOf<'equity'>;
};

/** The view that was chosen. Only the summary has numbers: each analysis that is not read saves its time. */
export type ReadAnalysis = {
  readonly analysis: AnalysisOf<AnalysedView>;
  readonly summary: Summary | null;
};

/** Reads analyses. Numbers are the slowest to compute: they are read again only if they may be others. */
export class AnalysisReads {
  /** The numbers that were read last, and what they follow from. */
  private known: { readonly basis: string; readonly numbers: AnalysisOf<'numbers'> } | undefined;

  /** `now` is in epoch milliseconds of the exchange. Rejects with LedgerError. */
  async read(
    { id, reader }: Pick<OpenLedger, 'id' | 'reader'>,
    choices: AnalysisChoices,
    display: Display,
    now: number,
  ): Promise<ReadAnalysis> {
    const { view } = choices;
    const asked = requestOf(choices, display, now);
    const ask = <View extends AnalysisView>(of: View): Promise<AnalysisOf<View>> =>
      reader.analyse<View>({ ...asked, view: of } satisfies AnalysisRequest<View>);
    if (view !== 'summary') return { analysis: await ask(analysedViews[view]), summary: null };
    const [analysis, numbers, equity] = await Promise.all([
      ask(analysedViews[view]),
      this.readNumbers({ id, reader }, asked),
      ask('equity'),
    ]);
    return { analysis, summary: { numbers, equity } };
  }

  /** Rejects with LedgerError. */
  async readNumbers(
    { id, reader }: Pick<OpenLedger, 'id' | 'reader'>,
    asked: Omit<AnalysisRequest, 'view'>,
  ): Promise<AnalysisOf<'numbers'>> {
    const { period, zone, now, positions } = asked;
    const { checkpoints, ...rows } = await reader.versions();
    // How complete they are depends on the time, too.
    const tenMinutes = Math.floor(now / (10 * minuteMs));
    // A checkpoint may contradict the size of a position.
    const own = { rows, period, zone, positions, ...(positions && { checkpoints }) };
    const basis = JSON.stringify([id, tenMinutes, own]);
    if (this.known?.basis === basis) return this.known.numbers;
    const numbers = await reader.analyse({ ...asked, view: 'numbers' });
    this.known = { basis, numbers };
    return numbers;
  }
}

/** What is asked of the ledger for these choices. */
export function requestOf(
  { view, groupBy, splitBy, account, ...choices }: AnalysisChoices,
  display: Display,
  now: number,
): Omit<AnalysisRequest, 'view'> {
  const { zone } = display;
  const period = periodOf(choices.period, display, now);
  return {
    period: view === 'calendar' ? calendarPeriod(period, display, now) : period,
    ...{ now, zone: zone.name, account },
    groupBy: view === 'calendar' ? 'day' : groupBy,
    splitBy: view === 'summary' ? 'asset' : splitBy,
    ...(view === 'positions' && { positions: filterOf(choices) }),
    ...(view === 'summary' && { positions: {} }),
  };
}

/** More would say no more. */
const mostCalendarDays = 731;

/** A day is whole, also if the period was chosen in another zone. */
function calendarPeriod(period: Interval, { zone }: Display, now: number): Interval {
  const days = wholeDays(period, zone);
  const to = Math.min(days.to, lastDays(1, now, zone).to);
  return { from: Math.max(days.from, lastDays(mostCalendarDays, to - 1, zone).from), to };
}

function filterOf({
  symbol,
  direction,
  result,
}: Pick<AnalysisChoices, 'symbol' | 'direction' | 'result'>): PositionFilter {
  return {
    ...(symbol !== '' && { symbol }),
    ...(direction !== '' && { direction }),
    ...(result !== '' && { result }),
  };
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
