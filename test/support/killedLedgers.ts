import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createEmptyFile } from '../../src/ledger/storage/emptyFile.ts';
import { SteppingProcess } from './steppingProcess.ts';

const script = path.join(import.meta.dirname, 'ledgerProcess.ts');

/** Two windows write to one ledger, and each in turn is killed while it writes; fails if a row is lost or doubled. */
export async function killLedgerWriters(file: string, kills: number): Promise<void> {
  createEmptyFile(file);
  /** It says how many rows it has stored. */
  const start = () => new SteppingProcess(script, [file]);
  // It creates the tables: a second one that does so too would be told that the ledger is busy.
  let writer = await start().printed(1);
  let waiting = start();
  let stored = 0;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      // Either of the first two may have been faster.
      const first = await Promise.race([writer.printed(1), waiting.printed(1)]);
      if (first !== writer) [writer, waiting] = [waiting, writer];
      await writer.printed(kill % 4);
      assert.ok(!writer.isOver, 'A writer ended by itself.');
      await writer.kill();
      stored = Math.max(stored, Number(writer.lastLine));
      assertSound(file, stored);
      [writer, waiting] = [waiting, start()];
    }
  } finally {
    await Promise.all([writer.kill(), waiting.kill()]);
  }
}

/** What was stored is there once, and belongs to the cursor that was stored with it. */
function assertSound(file: string, atLeast: number): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 10000');
    assert.equal(database.prepare('PRAGMA quick_check').get()?.quick_check, 'ok');
    const row = database
      .prepare(
        `SELECT (SELECT cursor FROM walks) AS cursor, count(*) AS rows, count(DISTINCT tradeId) AS ids,
           max(tradeId) AS last, (SELECT count(*) FROM tradesJson) AS records FROM trades`,
      )
      .get();
    const count = Number(row?.cursor);
    assert.deepEqual(row && { ...row }, {
      cursor: String(count),
      rows: count,
      ids: count,
      last: count,
      records: count,
    });
    assert.ok(count >= atLeast, `${count} rows, ${atLeast} were stored`);
  } finally {
    database.close();
  }
}
