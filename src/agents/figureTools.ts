import * as v from 'valibot';
import { sign, type NumberText } from '../base/decimal.ts';
import { clip, openEnd, type Interval } from '../base/interval.ts';
import {
  analysisGroups,
  analysisSplits,
  signedAsPaid,
  factsOf,
  type AnalysisCoverage,
  type AnalysisOf,
  type AnalysisSeries,
  type SumsView,
} from '../ledger/analysis/analysis.ts';
import type { FeeSign, LedgerRecord } from '../ledger/ledger.ts';
import { analysed, counts, knownOf, texts, type OpenAccount } from './account.ts';
import { argument, periodOf, refuse } from './arguments.ts';
import { evidenceOf, tool, type Evidence } from './tool.ts';

const views = ['realizedPl', 'fees', 'funding', 'cashFlow', 'cash'] as const;

export const summarize = tool({
  name: 'summarize',
  description:
    'Exact sums over all rows of a period. What was paid is negative, but kind feeAsSent has the exchange’s own sign, as it is not known which one was paid. value is null where coverage has gaps: then say incomplete; partial is what was read. A period without a row is 0 if coverage is complete. isTotal: of the whole period. groupBy of the answer may be longer than asked. assetBasis: assumed, the asset is the end of the symbol; unknown, asset is the symbol; deposited or balance, cash is a balance; change, only its change in the period. cash is at the end of a period. Assets are never added.',
  asks: {
    view: v.pipe(v.picklist(views), v.description('What')),
    ...{ from: argument.from, to: argument.to },
    groupBy: v.optional(v.picklist(['none', ...analysisGroups]), 'none'),
    splitBy: v.optional(v.picklist(analysisSplits), 'asset'),
    ...{ zone: argument.zone, accountType: argument.accountType },
  },
  facts: texts('from', 'to', 'zone', 'groupBy'),
  row: v.strictObject({
    ...texts('kind', 'asset', 'assetBasis', 'key', 'from', 'to', 'value', 'partial'),
    ...{ isTotal: v.boolean(), ...counts('rows') },
  }),
  find: async (account, { view, groupBy, zone, splitBy, accountType, ...ends }) => {
    const { splits } = factsOf(view);
    if (!splits.includes(splitBy)) refuse('splitBy', `${view} has only ${splits.join(', ')}`);
    if (accountType === 'SPOT' && view !== 'cash' && view !== 'cashFlow')
      refuse('accountType', 'SPOT is only of cash and cashFlow');
    const { from, to } = periodOf(ends);
    if (from >= account.now) refuse('from', 'not in the future');
    // Nothing is known of times to come. An open end is that of the newest row.
    const period = { from, to: to === openEnd ? to : Math.min(to, account.now) };
    const asked = { period, zone, splitBy, account: accountType };
    const group = groupBy === 'none' ? 'month' : groupBy;
    const analysis = await analysed(account, { ...asked, view, groupBy: group });
    const { coverage } = analysis;
    const series = seriesOf(analysis);
    const totals = series.map((each) => totalOf(each, analysis));
    const parts = groupBy === 'none' ? [] : series.flatMap((each) => partsOf(each, analysis));
    return {
      rows: [...totals, ...parts],
      known: knownOf(coverage, asked.period, account.now),
      evidence: await newestRows(account, series, analysis.period),
      facts: { ...analysis.period, zone, groupBy: groupBy === 'none' ? groupBy : analysis.groupBy },
    };
  },
});

type Summarized = AnalysisOf<SumsView | 'cash'>;

/** The figures of a view. */
type Series = Pick<AnalysisSeries, 'asset' | 'key' | 'total' | 'values' | 'counts'> & {
  readonly kind: string;
  readonly assetBasis: string;
  readonly rows: number | null;
  readonly selection: AnalysisSeries['selection'];
};

function seriesOf(analysis: Summarized): readonly Series[] {
  switch (analysis.view) {
    case 'cash':
      return analysis.curves.map(({ basis: assetBasis, opening, ...curve }) => {
        const kind = assetBasis === 'change' ? 'changeOfCash' : 'cash';
        const of = { kind, key: null, assetBasis, rows: null };
        return { ...of, ...curve, total: curve.values.at(-1) ?? opening };
      });
    case 'realizedPl':
    case 'fees':
    case 'funding':
    case 'cashFlow':
      return analysis.series.map((series) => signedAsPaid(series));
  }
}

function totalOf(series: Series, { period, coverage }: Summarized): object {
  const { kind, asset, assetBasis, key, total, rows, selection } = series;
  const amount = amountOf(total, coverage, selection);
  return { kind, asset, assetBasis, key, ...period, isTotal: true, ...amount, rows };
}

function partsOf(series: Series, { view, period, coverage, buckets }: Summarized): object[] {
  const { kind, asset, assetBasis, key, values, counts: rows, selection } = series;
  return buckets.flatMap((bucket, index) => {
    const value = values[index] ?? null;
    if (value === null) return [];
    // What cash is also depends on what came before.
    const of = view === 'cash' ? { from: period.from, to: bucket.to } : bucket;
    const amount = amountOf(value, coverage, selection, of);
    const figure = { ...bucket, isTotal: false, ...amount, rows: rows[index] ?? 0 };
    return [{ kind, asset, assetBasis, key, ...figure }];
  });
}

/** The amount as a value if every row of its history is in it. A row without its time may be of any period. */
function amountOf(
  amount: NumberText,
  { byHistory, gaps }: AnalysisCoverage,
  { history }: AnalysisSeries['selection'],
  period?: Interval,
) {
  const known = byHistory.find((each) => each.history === history);
  const missing = gaps.filter((gap) => gap.history === history);
  const hasGaps = (period ? clip(missing, period) : missing).length > 0;
  const isWhole =
    known !== undefined &&
    known.complete.length > 0 &&
    known.undatedRows + known.lackingRows === 0 &&
    !hasGaps;
  return { value: isWhole ? amount : null, partial: isWhole ? null : amount };
}

const [mostSeries, rowsRead, rowsOfSeries] = [5, 50, 2];

async function newestRows(
  { reader }: OpenAccount,
  series: readonly Series[],
  period: Interval,
): Promise<readonly Evidence[]> {
  const all = { period, search: '', sort: null, isListed: true } as const;
  const feeSign = await reader.feeSign();
  const newest = series.slice(0, mostSeries).map(async (each) => {
    const { history, filters } = each.selection;
    const { rows } = await reader.piece({ ...all, history, filters }, null, rowsRead);
    const own = rows.filter((record) => isIn(each, record, feeSign)).slice(0, rowsOfSeries);
    return own.map((record) => evidenceOf(history, record));
  });
  return (await Promise.all(newest)).flat();
}

/** Whether a record that a series selects is in its figure. */
function isIn({ kind, selection }: Series, record: LedgerRecord, feeSign: FeeSign): boolean {
  if (selection.isExact) return true;
  // Of funding, no record says the symbol.
  if (!('rpnl' in record)) return false;
  const own = sign((kind === 'realizedPl' ? record.rpnl : record.fee) ?? '0');
  if (kind !== 'feePaid' && kind !== 'feeRebate') return own !== 0;
  const paid = feeSign === 'negative' ? -1 : 1;
  return own === (kind === 'feePaid' ? paid : -paid);
}
