import { l10n } from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import { missingRecords } from '../../exchange/badRecords.ts';
import type { TablePage } from '../../protocol/table.ts';
import { ageText, localized } from '../text/messageText.ts';
import type { CellRow } from '../webview/recordCells.ts';
import type { ReferenceTable, TableDefinition } from './definition.ts';
import type { ReadContext, RowPage } from './source.ts';

/** Reads a table of reference data. Rejects with ExchangeError or the signal's reason. */
export async function readReferenceRows(
  table: ReferenceTable,
  { session, display, signal }: ReadContext,
): Promise<RowPage> {
  if (table.accountAnnotations) refreshStaleAccount(session);
  const { items: records, badRecords, summary = [] } = await table.read(session.client, signal);
  const omittedRows = missingRecords(badRecords).length;
  const count = String(records.length + omittedRows);
  return {
    records,
    part: null,
    summary,
    notes: [],
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
  const note = l10n.t(
    'Stale: the account data on this page is {0} old, as of {1}.',
    ageText(staleMs, display),
    display.timeToSecond(String(snapshot.asOf)),
  );
  return { ...annotations, notes: [note] };
}
