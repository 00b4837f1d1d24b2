import type { DatabaseSync } from 'node:sqlite';
import { compactCoverage } from '../coverage/coverageParts.ts';
import { LedgerError } from '../ledgerError.ts';
import type {
  Coverage,
  LedgerHistory,
  NewWalk,
  OldestRow,
  ReadOutcome,
  SavedWalk,
} from '../ledger.ts';

type WalkRow = Omit<SavedWalk, 'cursor' | 'isPaused'> & { cursor: string; isPaused: number };

/** The walks that have not ended, and what ended walks covered. */
export class WalkStore {
  private readonly database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  unfinished(): readonly SavedWalk[] {
    const rows = this.database.prepare('SELECT * FROM walks ORDER BY id').all();
    return (rows as unknown as WalkRow[]).map(savedWalk);
  }

  find(id: number): SavedWalk {
    const row = this.database.prepare('SELECT * FROM walks WHERE id = ?').get(id);
    if (row === undefined) throw new LedgerError('unknownWalk');
    return savedWalk(row as unknown as WalkRow);
  }

  begin({ history, from, to, asOf, purpose }: NewWalk): SavedWalk {
    const { lastInsertRowid } = this.database
      .prepare(
        `INSERT INTO walks (history, "from", "to", cursor, asOf, purpose, isPaused)
         VALUES (?, ?, ?, 'null', ?, ?, 0)`,
      )
      .run(history, from, to, asOf, purpose);
    return this.find(Number(lastInsertRowid));
  }

  pause(id: number, isPaused: boolean): void {
    this.find(id);
    this.database.prepare('UPDATE walks SET isPaused = ? WHERE id = ?').run(isPaused ? 1 : 0, id);
  }

  saveCursor(id: number, cursor: unknown): void {
    this.database
      .prepare('UPDATE walks SET cursor = ? WHERE id = ?')
      .run(JSON.stringify(cursor ?? null), id);
  }

  /** Covers the walk's period with its result. Deletes reads that newer ones supersede. */
  end({ id, history, from, to, asOf }: SavedWalk, { completeness, reason }: ReadOutcome): void {
    const read = { from, to, asOf, completeness, reason };
    const reads = compactCoverage(history, [...this.coverage(history), read]);
    this.database.prepare('DELETE FROM coverage WHERE history = ?').run(history);
    const insert = this.database.prepare(
      `INSERT INTO coverage (history, "from", "to", completeness, reason, asOf) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    for (const read of reads)
      insert.run(history, read.from, read.to, read.completeness, read.reason, read.asOf);
    this.drop(id);
  }

  drop(id: number): void {
    this.find(id);
    this.database.prepare('DELETE FROM walks WHERE id = ?').run(id);
  }

  coverage(history: LedgerHistory): readonly Coverage[] {
    const rows = this.database
      .prepare(
        `SELECT "from", "to", completeness, reason, asOf FROM coverage WHERE history = ? ORDER BY rowid`,
      )
      .all(history);
    return rows.map((row) => ({ ...row }) as unknown as Coverage);
  }

  noteOldestRow(history: LedgerHistory, time: number, seenAt: number): void {
    this.database
      .prepare(
        `INSERT INTO oldestRows VALUES (?1, ?2, ?3, ?3) ON CONFLICT DO UPDATE
         SET firstSeenAt = min(firstSeenAt, ?3), lastSeenAt = max(lastSeenAt, ?3)`,
      )
      .run(history, time, seenAt);
  }

  oldestRows(history: LedgerHistory): readonly OldestRow[] {
    const rows = this.database
      .prepare(
        'SELECT time, firstSeenAt, lastSeenAt FROM oldestRows WHERE history = ? ORDER BY time',
      )
      .all(history);
    return rows.map((row) => ({ ...row }) as unknown as OldestRow);
  }
}

function savedWalk({ cursor, isPaused, ...walk }: WalkRow): SavedWalk {
  return { ...walk, cursor: JSON.parse(cursor) as unknown, isPaused: isPaused !== 0 };
}
