import type { DatabaseSync } from 'node:sqlite';
import { clip, openEnd, type Interval } from '../../base/interval.ts';
import type { Checkpoint, Contradiction, IdentityName, LedgerHistory } from '../ledger.ts';
import { identities } from '../reconciliation/identities.ts';
import { learnReading, type LearnedReading } from '../reconciliation/learnedReading.ts';
import { checkpointsWhere } from '../storage/checkpointStore.ts';
import { numberOf } from '../storage/sql.ts';
import { storedReader } from '../reconciliation/storedReader.ts';

/** How many of the newest rows, and of the checkpoints since then, are compared: more teach no more. */
const mostRows = 1000;
const mostCheckpoints = 500;

/** What the reconciliation learns of an identity from the newest rows of a history; undefined if it does not apply. */
export function newestReading(
  database: DatabaseSync,
  name: IdentityName,
  history: LedgerHistory,
): LearnedReading | undefined {
  const oldest = `SELECT time FROM ${history} WHERE time IS NOT NULL ORDER BY time DESC LIMIT ${mostRows}`;
  const from = numberOf(database, `SELECT min(time) FROM (${oldest})`);
  const learned = readingIn(database, name, { from, to: openEnd });
  return learned?.applicability === 'applies' ? learned : undefined;
}

/** What the reconciliation learns of an identity in a period. */
export function readingIn(
  database: DatabaseSync,
  name: IdentityName,
  period: Interval,
): LearnedReading | undefined {
  const identity = identities.find((each) => each.name === name);
  if (!identity) return undefined;
  const reader = storedReader(database);
  return learnReading(
    {
      ...reader,
      checkpoints: () => checkpointsSince(database, period.from),
      coverage: (each) =>
        reader.coverage(each).flatMap((read) => {
          const [within] = clip([read], period);
          return within ? [{ ...read, ...within }] : [];
        }),
    },
    identity,
  );
}

/**
 * What contradicts the balance of an asset in the newest rows, and around a time that may be older: as far as the
 * balance is booked there in the same way.
 */
export function contradictionsAround(
  database: DatabaseSync,
  learned: LearnedReading,
  around: Interval,
): (asset: string) => readonly Contradiction[] {
  const alike = [learned, readingIn(database, 'deposited', around)].filter(
    (each) => each?.reading.name === learned.reading.name,
  );
  return (asset) => alike.flatMap((each) => each?.judgement.get(asset)?.contradictions ?? []);
}

function checkpointsSince(database: DatabaseSync, from: number): readonly Checkpoint[] {
  const count = numberOf(database, 'SELECT count(*) FROM checkpoints WHERE answeredAt >= ?', from);
  const step = Math.max(1, Math.ceil(count / mostCheckpoints));
  return checkpointsWhere(database, 'answeredAt >= ? AND rowid % ? = 0', from, step);
}
