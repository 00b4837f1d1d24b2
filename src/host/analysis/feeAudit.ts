import { cleanText } from '../../base/cleanText.ts';
import { absolute, isZero, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import type {
  DiscountUnit,
  FeeAudit,
  FeeDeviation,
  UndecidedFee,
} from '../../ledger/analysis/analysis.ts';
import type { DocumentTable, Label } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import { yesOrNo } from '../text/messageText.ts';
import type { Live } from '../webview/documentPanel.ts';
import { tableColumns } from '../webview/documentParts.ts';
import { storedRow } from '../reconciliation/storedRows.ts';
import { viewNote } from './choices.ts';
import { partOf } from './coverage.ts';
import type { View } from './series.ts';
import { column, rowsOfItems, type CellColumns } from './grid.ts';

const verdicts = ['asExpected', 'dearer', 'cheaper', 'undecided'] as const;

/** How many trades of each market have which fee, then those whose fees deviate. */
export function feeAuditView(audit: FeeAudit, display: Display): View {
  const { markets, deviations } = audit;
  return {
    ...{ field: 'fee', charts: [] },
    notes: [viewNote('feeAudit'), ...auditNotes(audit, display)],
    table: markets.length === 0 ? undefined : marketTable(audit, display),
    rows:
      deviations.length === 0
        ? undefined
        : () => rowsOfItems(deviationColumns(), deviations, ({ trade }) => identityOf(trade)),
    openRow: (row) => {
      const { trade } = deviations[row] ?? {};
      return trade && storedRow({ history: 'trades', record: { ...trade, extra: {} } });
    },
  };
}

function marketTable(audit: FeeAudit, display: Display): Live<DocumentTable> {
  const { markets } = audit;
  const labels = [t('As expected'), t('Dearer'), t('Cheaper'), t('Undecided')];
  const row = (name: string, count: (verdict: (typeof verdicts)[number]) => number): Label[] => [
    { text: name },
    ...verdicts.map((verdict): Label => {
      const text = display.count(count(verdict));
      return verdict === 'dearer' && count(verdict) > 0 ? { text, tone: 'critical' } : { text };
    }),
  ];
  const rows = markets.map((market) => row(cleanText(market.symbol, 40), (each) => market[each]));
  const all = row(t('All'), (each) => markets.reduce((sum, market) => sum + market[each], 0));
  const part = partOf(audit, display);
  return {
    title: [t('Trades by fee'), ...(part ? [part.incomplete] : [])].join(' · '),
    notes: [],
    columns: tableColumns([t('Symbol')], labels),
    rows: markets.length > 1 ? [...rows, all] : rows,
  };
}

/** What was paid too much or too little, why fees are undecided, and how the discount is read. */
function auditNotes(audit: FeeAudit, display: Display): string[] {
  const { sums, undecided, deviations, deviationCount, discountIn, markets } = audit;
  if (markets.length === 0) return [];
  const part = partOf(audit, display);
  return [
    ...(part ? [part.incomplete] : []),
    ...(deviationCount === 0 ? [t('No fee is known to deviate.')] : []),
    ...sums.flatMap(({ asset, dearer, cheaper }) => {
      const amount = (of: NumberText): string => display.full('overcharge', absolute(of));
      const shown = cleanText(asset, 20);
      return [
        ...(isZero(dearer) ? [] : [t('Paid too much: {0} {1}.', amount(dearer), shown)]),
        ...(isZero(cheaper) ? [] : [t('Paid too little: {0} {1}.', amount(cheaper), shown)]),
      ];
    }),
    ...(deviations.length < deviationCount
      ? [
          t(
            'The newest {0} of {1} deviations are listed.',
            display.count(deviations.length),
            display.count(deviationCount),
          ),
        ]
      : []),
    ...undecided
      .toSorted((one, other) => other.count - one.count)
      .map(({ reason, count }) =>
        t('Undecided {0}: {1}', display.count(count), reasonText(reason)),
      ),
    ...(discountIn === null ? [] : [discountText(discountIn)]),
  ];
}

function reasonText(reason: UndecidedFee): string {
  return {
    noRates: t(
      'no rates of the account are stored yet. They are stored while the account is open and the ledger is kept current.',
    ),
    unknownTier: t('the fee does not fit, and the account’s tier at that time is not known.'),
    unknownDiscount: t('the unit of the account’s discount is not known.'),
    notLearned: t('too few fees fit the fee table.'),
    unknownRounding: t('the fee may be rounded more than it seems.'),
    otherAsset: t('the fee is not in the quote asset of the symbol.'),
    otherType: t('the fee does not fit, and the trade is not an order-book trade.'),
    noValue: t('the value of the trade is 0.'),
    unknownFigure: t('a figure of the trade is unknown.'),
  }[reason];
}

function discountText(unit: DiscountUnit): string {
  return {
    none: t('The fees show that the discount of the account is not taken off them.'),
    percent: t('The fees show that the discount of the account is in percent.'),
    perMille: t('The fees show that the discount of the account is in thousandths.'),
    basisPoints: t('The fees show that the discount of the account is in hundredths of a percent.'),
  }[unit];
}

function deviationColumns(): CellColumns<FeeDeviation> {
  const direction = { dearer: t('dearer'), cheaper: t('cheaper') };
  return [
    [column('time', t('Time'), 'time'), ({ trade }) => trade.time],
    [column('symbol', t('Symbol'), 'text'), ({ trade }) => cleanText(trade.symbol, 40)],
    [column('direction', t('Fee is'), 'text'), ({ kind }) => direction[kind]],
    [column('overcharge', t('Paid too much'), 'decimal', 'feeAsset'), (each) => each.overcharge],
    [column('fee', t('Fee'), 'decimal', 'feeAsset'), ({ trade }) => trade.fee],
    [column('expectedFee', t('Expected fee'), 'decimal', 'feeAsset'), (each) => each.expected],
    [column('feeAsset', t('Fee asset'), 'text'), ({ trade }) => cleanText(trade.feeAsset, 20)],
    [column('impliedRate', t('Implied rate')), ({ impliedRate }) => impliedRate],
    [column('tierRate', t('Rate of the tier')), ({ rate }) => rate],
    [column('tier', t('Tier')), ({ tier }) => tier],
    [column('maker', t('Maker'), 'text'), ({ trade }) => yesOrNo(trade.maker)],
    [column('billedAs', t('Would fit'), 'text'), billedAsText],
    [column('amount', t('Amount'), 'decimal', 'symbol'), ({ trade }) => trade.amount],
    [column('price', t('Price')), ({ trade }) => trade.price],
    [column('tradeId', t('Trade id'), 'id'), ({ trade }) => trade.tradeId],
    [column('orderId', t('Order id'), 'id'), ({ trade }) => trade.orderId],
  ];
}

/** Whose rate the fee has instead. */
function billedAsText({ billedAs }: FeeDeviation): string {
  if (!billedAs) return unknownText;
  const { tier, maker } = billedAs;
  return maker ? t('maker of tier {0}', tier) : t('taker of tier {0}', tier);
}
