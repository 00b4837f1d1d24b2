import type { DatabaseSync } from 'node:sqlite';
import type { LedgerHistory } from '../ledger.ts';
import { numberOf } from './sql.ts';

/** A named number of the file; 0 if it was never set. */
export function stateOf(database: DatabaseSync, name: string): number {
  return numberOf(database, 'SELECT value FROM state WHERE name = ?', name);
}

export function setState(database: DatabaseSync, name: string, value: number): void {
  database.prepare('REPLACE INTO state (name, value) VALUES (?, ?)').run(name, value);
}

/** The name of the number of changes of a history's rows and coverage. */
export function changesOf(history: LedgerHistory): string {
  return `changes.${history}`;
}

export function countChange(database: DatabaseSync, history: LedgerHistory): void {
  const name = changesOf(history);
  setState(database, name, stateOf(database, name) + 1);
}
