import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { periodDays } from '../../base/timeZone.ts';
import {
  viewSplits,
  type AnalysisGroup,
  type AnalysisSeries,
  type AnalysisSplit,
  type AnalysisView,
  type SeriesKind,
} from '../../ledger/analysis/analysis.ts';
import type {
  AnalysisChoices,
  AnalysisTexts,
  AnalysisTool,
} from '../../protocol/analysisMessages.ts';
import type { GridTextName, TableTexts } from '../../protocol/texts.ts';
import { customPeriodTexts, gridTexts } from '../text/gridTexts.ts';

export type ChosenView = AnalysisChoices['view'];

/** A drawdown is read with the equity that it is of. */
export function analysedView(view: ChosenView): Exclude<AnalysisView, 'numbers'> {
  return view === 'drawdown' ? 'equity' : view;
}

export function viewLabel(view: ChosenView): string {
  const { t } = l10n;
  return {
    realizedPl: t('Realised P&L'),
    fees: t('Fees'),
    funding: t('Funding'),
    cashFlow: t('Cash flow'),
    cash: t('Cash'),
    equity: t('Equity'),
    drawdown: t('Drawdown'),
    feeAudit: t('Fee audit'),
  }[view];
}

/** What the figures of a view are, and which way they point. */
export function viewNotes(view: ChosenView): readonly string[] {
  const { t } = l10n;
  return {
    realizedPl: [t('Gross: before fees and funding.')],
    fees: [t('Fees you paid are positive, rebates are negative.')],
    funding: [t('Payments you made are negative. The API names no symbol of a payment.')],
    cashFlow: [t('Deposits, withdrawals, transfers and rewards. What left is negative.')],
    cash: [t('The sum of all transactions, at the end of each day, week or month.')],
    equity: [t('Stored samples only. A gap in the line means that none were stored.')],
    drawdown: [t('Fall from the highest equity, excluding deposits and withdrawals.')],
    feeAudit: [
      t(
        'Each trade’s fee beside the rate of the account’s tier at that time. Rounding never counts.',
      ),
    ],
  }[view];
}

/** In place of what a positive fee is. */
export function unknownSignNote(): string {
  return l10n.t('Fees are shown as sent: the sign of fees is not known yet.');
}

export function kindLabel(kind: SeriesKind): string {
  const { t } = l10n;
  return {
    realizedPl: t('Realised P&L'),
    feePaid: t('Paid'),
    feeRebate: t('Rebates'),
    feeAsSent: t('As sent'),
    liquidationFee: t('Liquidation fees'),
    funding: t('Funding'),
    cashFlow: t('Cash flow'),
  }[kind];
}

/** An asset of P&L, or the symbol whose asset is not known. */
export function plAssetText({
  asset,
  assetBasis,
}: Pick<AnalysisSeries, 'asset' | 'assetBasis'>): string {
  const { t } = l10n;
  if (assetBasis === 'unknown') return t('{0}, unknown asset', cleanText(asset, 40));
  const shown = cleanText(asset, 20);
  return assetBasis === 'assumed' ? t('{0} (assumed)', shown) : shown;
}

/** What a series is of. A figure of which no record says the symbol is of several. */
export function seriesLabel(
  { kind, key }: Pick<AnalysisSeries, 'kind' | 'key'>,
  isSplit: boolean,
): string {
  if (key === null)
    return isSplit && kind === 'funding' ? l10n.t('Several symbols') : kindLabel(kind);
  const shown = cleanText(key, 40);
  return kind.startsWith('fee') ? `${shown} · ${kindLabel(kind)}` : shown;
}

export function splitLabel(split: AnalysisSplit): string {
  const { t } = l10n;
  return { asset: t('None'), symbol: t('Symbol'), side: t('Side'), type: t('Type') }[split];
}

function groupLabel(group: AnalysisGroup): string {
  const { t } = l10n;
  return { day: t('Day'), week: t('Week'), month: t('Month') }[group];
}

/** The splits that a view has, of which there may be none to choose from. */
export function splitsOf(view: ChosenView): readonly AnalysisSplit[] {
  return viewSplits[analysedView(view)];
}

/** What can be chosen beside the view. */
export function toolsOf({ view }: Pick<AnalysisChoices, 'view'>): AnalysisTool[] {
  const { t } = l10n;
  const splits = splitsOf(view);
  const hasAccount = view === 'cash' || view === 'cashFlow';
  return [
    {
      name: 'days',
      label: t('Period'),
      options: [
        ...periodDays.map((days) => ({ value: days, label: daysLabel(days) })),
        { value: null, label: t('All') },
      ],
    },
    ...(view === 'feeAudit'
      ? []
      : [
          {
            name: 'groupBy' as const,
            label: t('Group'),
            options: (['day', 'week', 'month'] as const).map((value) => ({
              value,
              label: groupLabel(value),
            })),
          },
        ]),
    ...(splits.length > 1
      ? [
          {
            name: 'splitBy' as const,
            label: t('Split'),
            options: splits.map((value) => ({ value, label: splitLabel(value) })),
          },
        ]
      : []),
    ...(hasAccount
      ? [
          {
            name: 'account' as const,
            label: t('Account type'),
            options: ['FUTURE', 'SPOT'].map((value) => ({ value, label: value })),
          },
        ]
      : []),
  ];
}

function daysLabel(days: number): string {
  return days === 1 ? l10n.t('Today') : l10n.t('Last {0} days', days);
}

export function analysisTexts(): AnalysisTexts & Pick<TableTexts, GridTextName> {
  const { t } = l10n;
  return {
    ...gridTexts(),
    thisPage: '',
    sortedAscending: t('Rows sorted, ascending'),
    sortedDescending: t('Rows sorted, descending'),
    unsorted: t('Rows in order of time'),
    find: t('Find in the rows'),
    view: t('View'),
    tools: t('Period and grouping'),
    labelled: t('{0}: {1}'),
    loading: t('Computing…'),
    showAsTable: t('Show as Table'),
    showAsChart: t('Show as Chart'),
    hint: t(
      '← and → move along the chart, Home and End to its ends. Enter or a click shows the rows.',
    ),
    hintWithoutRows: t('← and → move along the chart, Home and End to its ends.'),
    showRows: t('Show Rows'),
    showRowsOf: t('Show Rows of {0}'),
    widerRows: t('With other rows of this period'),
    noFigure: t('no figure'),
    notKnown: t('not known'),
    incomplete: t('incomplete'),
    from: t('From'),
    to: t('To'),
    inZone: t('{0} ({1})'),
    ...customPeriodTexts(),
  };
}
