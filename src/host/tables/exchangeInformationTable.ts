import { l10n } from 'vscode';
import type { ExchangeInformation, RateLimit, SymbolKinds } from '../../exchange/records.ts';
import type { Column, SummaryGroup } from '../../protocol/table.ts';
import { recordColumns } from './recordColumns.ts';
import type { ReferenceTable } from './tableDefinition.ts';

/** Exchange information (sections 2.7 and 4.7): one row for each symbol; the rest is the summary. */
export function exchangeInformationTable(): ReferenceTable {
  return {
    kind: 'reference',
    operation: 'exchangeInfo',
    title: l10n.t('Exchange Information'),
    columns: symbolColumns(),
    read: async (client, signal) => {
      const { value, badRecords } = await client.exchangeInfo({ signal });
      return { items: value.symbols, badRecords, summary: summaryOf(value) };
    },
  };
}

function symbolColumns(): readonly Column[] {
  const { t } = l10n;
  return recordColumns<SymbolKinds>({
    symbol: { label: t('Symbol'), kind: 'text' },
    pair: { label: t('Pair'), kind: 'text' },
    baseAsset: { label: t('Base asset'), kind: 'text' },
    quoteAsset: { label: t('Quote asset'), kind: 'text' },
    marginAsset: { label: t('Margin asset'), kind: 'text' },
    status: { label: t('Status'), kind: 'enum' },
  });
}
function summaryOf({
  serverTime,
  timezone,
  rateLimits,
}: ExchangeInformation): readonly SummaryGroup[] {
  const { t } = l10n;
  return [
    {
      title: t('Server'),
      items: [
        { field: 'serverTime', label: t('Server time'), kind: 'time', cell: serverTime },
        { field: 'timezone', label: t('Time zone'), kind: 'text', cell: timezone },
      ],
    },
    ...rateLimits.map(rateLimitGroup),
  ];
}

function rateLimitGroup(rateLimit: RateLimit): SummaryGroup {
  const { t } = l10n;
  const { rateLimitType, limit, intervalNum, interval } = rateLimit;
  return {
    title: t('Rate limit'),
    items: [
      { field: 'rateLimitType', label: t('Type'), kind: 'enum', cell: rateLimitType },
      { field: 'limit', label: t('Limit'), kind: 'decimal', cell: limit },
      { field: 'intervalNum', label: t('Number of intervals'), kind: 'decimal', cell: intervalNum },
      { field: 'interval', label: t('Interval'), kind: 'enum', cell: interval },
    ],
  };
}
