import { l10n } from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import type { TablePage } from '../../protocol/table.ts';
import { ageWords } from '../words.ts';
import type { Table, TableRows } from './table.ts';

/**
 * What a page says of the account beside its rows, by the newest snapshot: nothing where the table
 * takes nothing from the account. Figures that missed two refreshes are called stale, with their age.
 */
export function accountPart(
  { ofAccount }: Table,
  rows: TableRows['rows'],
  { state }: ActiveAccount,
  display: Display,
): Pick<TablePage, 'marks' | 'facts' | 'notes'> {
  if (!ofAccount) return { marks: [], facts: [], notes: [] };
  const { snapshot } = state.kind === 'open' ? state.session.store.state : {};
  const part = ofAccount(rows, snapshot, display);
  const staleMs = state.kind === 'open' ? state.session.freshness.staleMs : undefined;
  if (!snapshot || staleMs === undefined) return { ...part, notes: [] };
  const note = l10n.t(
    'Stale: what this page says of the account is {0} old, as of {1}.',
    ageWords(staleMs, display),
    display.timeToSecond(String(snapshot.asOf)),
  );
  return { ...part, notes: [note] };
}
