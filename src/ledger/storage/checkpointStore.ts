import type { DatabaseSync } from 'node:sqlite';
import type { Checkpoint, Interval } from '../ledger.ts';

export function addCheckpoint(database: DatabaseSync, checkpoint: Checkpoint): void {
  database
    .prepare('INSERT INTO checkpoints (sentAt, answeredAt, json) VALUES (?, ?, ?)')
    .run(checkpoint.sentAt, checkpoint.answeredAt, JSON.stringify(checkpoint));
}

/** Those of which a part lies in the interval, oldest first. */
export function checkpointsIn(
  database: DatabaseSync,
  { from, to }: Interval,
): readonly Checkpoint[] {
  const rows = database
    .prepare(
      'SELECT json FROM checkpoints WHERE answeredAt >= ? AND sentAt < ? ORDER BY answeredAt, rowid',
    )
    .all(from, to);
  return rows.map(({ json }) => JSON.parse(String(json)) as Checkpoint);
}
