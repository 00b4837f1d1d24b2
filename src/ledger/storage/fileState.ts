import type { DatabaseSync } from 'node:sqlite';
import { ledgerHistoryNames, type LedgerVersions } from '../ledger.ts';
import { numberOf } from './sql.ts';

/** A named number of the file; 0 if it was never set. */
export function stateOf(database: DatabaseSync, name: string): number {
  return numberOf(database, 'SELECT value FROM state WHERE name = ?', name);
}

export function setState(database: DatabaseSync, name: string, value: number): void {
  database.prepare('REPLACE INTO state (name, value) VALUES (?, ?)').run(name, value);
}

/** Counts changes of a history's rows and coverage, of the walks, or of the checkpoints. */
export function countChange(database: DatabaseSync, changed: keyof LedgerVersions): void {
  setState(database, `changes.${changed}`, changesOf(database, changed) + 1);
}

/** How many there were, by any window. */
export function changesOf(database: DatabaseSync, changed: keyof LedgerVersions): number {
  return stateOf(database, `changes.${changed}`);
}

/** `identity` is that of the file, which may be replaced. */
export function versionsOf(database: DatabaseSync, identity: string): LedgerVersions {
  const names = [...ledgerHistoryNames, 'walks', 'checkpoints'] as const;
  const versions = names.map((name) => [name, `${identity} ${changesOf(database, name)}`]);
  return Object.fromEntries(versions) as LedgerVersions;
}
