import type { DatabaseSync } from 'node:sqlite';
import type { Interval } from '../../base/interval.ts';
import type { Checkpoint } from '../ledger.ts';
import { countChange } from './fileState.ts';

export function addCheckpoint(database: DatabaseSync, checkpoint: Checkpoint): void {
  database
    .prepare('INSERT INTO checkpoints (sentAt, answeredAt, json) VALUES (?, ?, ?)')
    .run(checkpoint.sentAt, checkpoint.answeredAt, JSON.stringify(checkpoint));
  countChange(database, 'checkpoints');
}

/** Those of which a part lies in the interval, oldest first. */
export function checkpointsIn(
  database: DatabaseSync,
  { from, to }: Interval,
): readonly Checkpoint[] {
  const lies = 'answeredAt >= ? AND sentAt < ? ORDER BY answeredAt, rowid';
  return checkpointsWhere(database, lies, from, to);
}

/** With `hasFeeTable`, the newest that has the whole fee table. Null if there is none. */
export function newestCheckpoint(database: DatabaseSync, hasFeeTable: boolean): Checkpoint | null {
  const condition = hasFeeTable ? `json LIKE '%"table":%'` : '1';
  const [newest] = checkpointsWhere(database, `${condition} ORDER BY answeredAt DESC LIMIT 1`);
  return newest ?? null;
}

/** Those that an SQL condition finds, as it orders them. */
export function checkpointsWhere(
  database: DatabaseSync,
  condition: string,
  ...values: readonly number[]
): readonly Checkpoint[] {
  return database
    .prepare(`SELECT json FROM checkpoints WHERE ${condition}`)
    .all(...values)
    .map(({ json }) => JSON.parse(String(json)) as Checkpoint);
}
