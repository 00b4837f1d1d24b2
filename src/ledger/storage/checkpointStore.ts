import type { DatabaseSync } from 'node:sqlite';
import type { Checkpoint, Interval } from '../ledger.ts';

/** What the account was at moments of the past. */
export class CheckpointStore {
  private readonly database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  add(checkpoint: Checkpoint): void {
    this.database
      .prepare('INSERT INTO checkpoints (sentAt, answeredAt, json) VALUES (?, ?, ?)')
      .run(checkpoint.sentAt, checkpoint.answeredAt, JSON.stringify(checkpoint));
  }

  /** Those of which a part lies in the interval, oldest first. */
  within({ from, to }: Interval): readonly Checkpoint[] {
    const rows = this.database
      .prepare(
        'SELECT json FROM checkpoints WHERE answeredAt >= ? AND sentAt < ? ORDER BY answeredAt, rowid',
      )
      .all(from, to);
    return rows.map(({ json }) => JSON.parse(String(json)) as Checkpoint);
  }
}
