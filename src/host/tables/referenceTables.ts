import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isSame } from '../../base/decimal.ts';
import { systemClock } from '../../base/time.ts';
import type { FeeRateUnit } from '../../ledger/analysis/analysis.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import type { Display } from '../../base/display.ts';
import { missingRecords } from '../../exchange/badRecords.ts';
import type { ExchangeInformation } from '../../exchange/records.ts';
import type { Cell, Column, SummaryGroup, TablePage } from '../../protocol/table.ts';
import type { RowTexts } from '../../protocol/texts.ts';
import { t } from '../shared/translate.ts';
import { firstOf, ageText, localized } from '../text/messageText.ts';
import { cellOf, type CellRow } from '../webview/recordCells.ts';
import {
  recordColumns,
  someColumns,
  type ReferenceTable,
  type TableDefinition,
} from './definition.ts';
import type { ReadContext, RowPage } from './panelState.ts';

/** A table without filters always has rows, unless something is wrong. */
function textsOf(loading: string, nothingYet: string): RowTexts {
  const nothingYetHint = t(
    'Refresh. If there are still no rows, check the base URL of the profile.',
  );
  return { loading, nothingYet, nothingYetHint, noMatch: nothingYet };
}

/** The tables of reference data. */
export function referenceTables() {
  return {
    /** Sections 2.7 and 4.7: one row for each symbol; the rest is the summary. */
    exchangeInformation: {
      kind: 'reference',
      operation: 'exchangeInfo',
      title: t('Exchange Information'),
      columns: recordColumns('symbolInformation', {
        symbol: { label: t('Symbol') },
        pair: { label: t('Pair') },
        baseAsset: { label: t('Base asset') },
        quoteAsset: { label: t('Quote asset') },
        marginAsset: { label: t('Margin asset') },
        status: { label: t('Status') },
      }),
      texts: textsOf(t('Loading symbols…'), t('The exchange lists no symbols')),
      read: async (exchange, signal) => {
        const { value, badRecords } = await exchange.exchangeInfo({ signal });
        return { value: value.symbols, badRecords, summary: exchangeSummary(value) };
      },
    },
    /**
     * Sections 2.8 and 4.8. A rule that applies to open positions is marked with their symbols. Only the
     * margins have a unit: percent.
     */
    leverageRules: {
      kind: 'reference',
      operation: 'leverage',
      title: t('Leverage Rules'),
      columns: recordColumns('leverageRule', {
        leverage: { label: t('Leverage') },
        positionNotional: { label: t('Position notional') },
        maintenanceMargin: { label: t('Maintenance margin'), kind: 'percent' },
        initialMargin: { label: t('Initial margin'), kind: 'percent' },
      }),
      texts: textsOf(t('Loading leverage rules…'), t('The exchange lists no leverage rules')),
      accountAnnotations: (rows, snapshot, display) => {
        const marks = rows.flatMap(([leverage], row) => {
          const symbols = symbolsAt(snapshot, leverage ?? null);
          return symbols.length > 0 ? [{ row, label: firstOf(symbols, maxNames, display) }] : [];
        });
        const isShown = marks.length > 0 || snapshot?.account.positions === null;
        return { marks, summary: snapshot && isShown ? [positionsSummary(snapshot)] : [] };
      },
      read: (exchange, signal) => exchange.list('leverage', { signal }),
    },
    /** Sections 2.9 and 4.9, with a mark on the account's tier. The API gives no units. */
    feeTiers: {
      kind: 'reference',
      operation: 'feeTiers',
      title: t('Fee Tiers'),
      columns: recordColumns('feeTier', {
        tier: { label: t('Tier') },
        volume30D: { label: t('30-day volume') },
        maker: { label: t('Maker fee rate') },
        taker: { label: t('Taker fee rate') },
      }),
      texts: textsOf(t('Loading fee tiers…'), t('The exchange lists no fee tiers')),
      note: t('The API does not name the unit of the rates: the fees in the ledger may prove it.'),
      accountAnnotations: (rows, snapshot) => ({
        marks: rows.flatMap(([tier], row) =>
          snapshot && isSame(tier ?? null, snapshot.account.feeTierStructure)
            ? [{ row, label: t('this account') }]
            : [],
        ),
        summary: [ownTier(snapshot)],
      }),
      read: (exchange, signal) => exchange.list('feeTiers', { signal }),
    },
  } satisfies Record<string, ReferenceTable>;
}

function exchangeSummary(information: ExchangeInformation): readonly SummaryGroup[] {
  const serverColumns = recordColumns('exchangeInformation', {
    serverTime: { label: t('Server time') },
    timezone: { label: t('Time zone') },
  });
  const limitColumns = recordColumns('rateLimit', {
    rateLimitType: { label: t('Type') },
    limit: { label: t('Limit') },
    intervalNum: { label: t('Number of intervals') },
    interval: { label: t('Interval') },
  });
  return [
    summaryGroup(t('Server'), information, serverColumns),
    ...information.rateLimits.map((each) => summaryGroup(t('Rate limit'), each, limitColumns)),
  ];
}

/** Fields of a record above the rows. What it lacks is unknown. */
function summaryGroup(title: string, record: object, columns: readonly Column[]): SummaryGroup {
  return {
    title,
    items: columns.map((column) => ({ ...column, cell: cellOf(record, column.field) })),
  };
}

/** When the marked positions were read; their leverage is unknown if they could not be. */
function positionsSummary({ readAt, account: { positions } }: Snapshot): SummaryGroup {
  const leverage = someColumns('position', { leverage: { label: t('Leverage') } });
  const columns = [...(positions ? [] : leverage), readColumn()];
  return summaryGroup(t('Open positions'), { asOf: String(readAt) }, columns);
}

function symbolsAt(snapshot: Snapshot | undefined, level: Cell): string[] {
  const positions = snapshot?.account.positions ?? [];
  return positions.flatMap(({ leverage, symbol }) =>
    isSame(leverage, level) ? [cleanText(symbol, 40)] : [],
  );
}

const maxNames = 5;

/** The account's tier, and when it was read. Without a snapshot every value is unknown. */
function ownTier(snapshot: Snapshot | undefined): SummaryGroup {
  const read = snapshot ? { ...snapshot.account, asOf: String(snapshot.readAt) } : {};
  const columns = someColumns('account', {
    feeTierStructure: { label: t('Fee tier') },
    feeTierDiscount: { label: t('Fee tier discount') },
    tradeFeeAsset: { label: t('Trade fee asset') },
  });
  return summaryGroup(t('This account'), read, [...columns, readColumn()]);
}

function readColumn(): Column {
  return { field: 'asOf', label: t('Account read at'), kind: 'time' };
}

/** The fees of all trades of the ledger show it; the period is that of the trades that are judged: none. */
export async function learnedRateUnit({
  current,
}: Pick<AccountLedger, 'current'>): Promise<FeeRateUnit | null> {
  const audit = await current?.reader.analyse({
    view: 'feeAudit',
    ...{ period: { from: 0, to: 1 }, now: systemClock.now(), zone: 'UTC' },
    ...{ groupBy: 'month', splitBy: 'asset', account: 'FUTURE' },
  });
  return audit?.ratesIn ?? null;
}

/** The unit of the rates, once it is known. */
async function rateUnitNotes(ledger: Pick<AccountLedger, 'current'>): Promise<string[]> {
  const unit = await learnedRateUnit(ledger).catch(() => null);
  if (unit === null) return [];
  return [
    unit === 'shares'
      ? t('The fees in the ledger prove the unit of the rates: 0.0001 is 0.01 %.')
      : t('The fees in the ledger prove the unit of the rates: they are percent.'),
  ];
}

/** Reads a table of reference data. Rejects with ExchangeError or the signal's reason. */
export async function readReferenceRows(
  table: ReferenceTable,
  { session, ledger, display, signal }: ReadContext,
): Promise<RowPage> {
  if (table.accountAnnotations) refreshStaleAccount(session);
  const { value: records, badRecords, summary = [] } = await table.read(session.reference, signal);
  const omittedRows = missingRecords(badRecords).length;
  const count = String(records.length + omittedRows);
  return {
    records,
    part: null,
    summary,
    notes: table.operation === 'feeTiers' ? await rateUnitNotes(ledger) : [],
    omittedRows,
    size: count,
    totalPages: '1',
    totalElements: count,
    badRecords: badRecords.map(({ problem }) => localized(problem, display)),
  };
}

/** The account may not be polled now. The rows do not wait for it: the annotations follow the account. */
function refreshStaleAccount({ store, staleness, refresher }: AccountSession): void {
  if (store.state.snapshot && staleness.staleAgeMs === undefined) return;
  refresher.refresh().catch(() => undefined);
}

/** The marks, figures and notes that come from the account beside the rows; stale figures are named as stale. */
export function accountAnnotations(
  table: TableDefinition,
  rows: readonly CellRow[],
  { state }: ActiveAccount,
  display: Display,
): Pick<TablePage, 'marks' | 'summary' | 'notes'> {
  if (table.kind === 'history' || !table.accountAnnotations)
    return { marks: [], summary: [], notes: [] };
  const { snapshot } = state.kind === 'open' ? state.session.store.state : {};
  const annotations = table.accountAnnotations(rows, snapshot, display);
  const staleMs = state.kind === 'open' ? state.session.staleness.staleAgeMs : undefined;
  if (!snapshot || staleMs === undefined) return { ...annotations, notes: [] };
  const note = t(
    'Stale: the account data on this page is {0} old, read {1}.',
    ageText(staleMs, display),
    display.timeToSecond(snapshot.readAt),
  );
  return { ...annotations, notes: [note] };
}
