import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { createEmptyFile } from '../../src/ledger/storage/emptyFile.ts';
import { spawnOwned } from './childProcess.ts';

const script = path.join(import.meta.dirname, 'ledgerProcess.ts');

/** Two windows write to one ledger, and each in turn is killed while it writes; fails if a row is lost or doubled. */
export async function killLedgerWriters(file: string, kills: number): Promise<void> {
  createEmptyFile(file);
  let [writer, waiting] = [startWriter(file), startWriter(file)];
  let stored = 0;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      // Either of the first two may have been faster.
      const first = await Promise.any(
        [writer, waiting].map((each) => each.printed().then(() => each)),
      );
      if (first !== writer) [writer, waiting] = [waiting, writer];
      for (let step = 0; step < kill % 4; step += 1) await writer.printed();
      stored = Math.max(stored, await writer.kill());
      assertSound(file, stored);
      [writer, waiting] = [waiting, startWriter(file)];
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

type Writer = {
  /** Resolves when it has stored another step; rejects if it ends before. */
  printed(): Promise<void>;
  /** Returns how many rows it said that it stored, also if it ended before. */
  kill(): Promise<number>;
};

function startWriter(file: string): Writer {
  const child: ChildProcess = spawnOwned(process.execPath, [script, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.ok(child.stdout);
  const closed = once(child, 'close');
  const lines = createInterface(child.stdout);
  let last = 0;
  let next = Promise.withResolvers<undefined>();
  lines.on('line', (line) => {
    last = Number(line);
    next.resolve(undefined);
    next = Promise.withResolvers();
  });
  const ended = async (): Promise<never> => {
    await closed;
    throw new Error('A writer ended by itself.');
  };
  return {
    printed: () => Promise.race([next.promise, ended()]),
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
      return last;
    },
  };
}
