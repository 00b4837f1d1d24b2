import { type DatabaseSync, backup } from 'node:sqlite';
import type { Interval } from '../base/interval.ts';
import type { Analysis, AnalysisRequest } from './analysis/analysis.ts';
import { analysisCoverage } from './analysis/scope.ts';
import type { BotFilePreview, BotSource, Problem } from './comparison/botFile.ts';
import type { ComparedBook } from './comparison/compare.ts';
import type { ComparisonChoices } from './comparison/comparison.ts';
import { provedFeeSign } from './analysis/feeSign.ts';
import type {
  Checkpoint,
  IdPlace,
  LedgerHistory,
  LedgerQuery,
  NewWalk,
  ReadOutcome,
  RowPlace,
  SavedWalk,
  StoredCounts,
} from './ledger.ts';
import { countChange, versionsOf } from './storage/fileState.ts';
import { addCheckpoint, checkpointsIn, newestCheckpoint } from './storage/checkpointStore.ts';
import { fieldSums } from './storage/sums.ts';
import { LedgerConnection, type ConnectionOptions } from './storage/ledgerConnection.ts';
import type { RecordJson } from './storage/recordLines.ts';
import { RecordStore } from './storage/recordStore.ts';
import { RowQuery } from './storage/rowQuery.ts';
import { WalkStore } from './storage/walkStore.ts';
import { renameSync, rmSync } from 'node:fs';
import { createEmptyFile } from './storage/emptyFile.ts';
import { numberOf } from './storage/sql.ts';
import { assertUndamaged, withFile } from './storage/ledgerFile.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { SymbolAssets, type SymbolAsset } from './storage/symbolAssets.ts';
import { columnsOf } from './storage/columns.ts';
import { idDigitsSql, idKeySql } from './storage/numberKey.ts';

type RecordLines = readonly RecordJson[];

/** What uses one open file, with its prepared statements. */
type Stores = {
  readonly database: DatabaseSync;
  readonly walks: WalkStore;
  readonly rowQuery: RowQuery;
  readonly records: Map<LedgerHistory, RecordStore>;
};

type StoredLedgerOptions = ConnectionOptions & {
  /** Compares what the file has, while it is used. */
  readonly reconcile: () => Promise<string>;
  /** Analyses it in the same way. */
  readonly analyse: (request: AnalysisRequest) => Promise<Analysis>;
  /** Compares it in the same way with the books of a bot. */
  readonly compare: (source: BotSource, choices: ComparisonChoices) => Promise<ComparedBook>;
  readonly previewBotFile: (file: string) => Promise<BotFilePreview | Problem>;
  /** Rows, walks or coverage are other ones now. */
  readonly onWrite: () => void;
};

/** What the worker of a ledger answers. Records cross as JSON, one each, which is copied and not parsed. */
export type LedgerCalls = ReturnType<typeof storedLedger>;

/** A ledger in its file. Runs in the worker: its calls block. */
export function storedLedger(options: StoredLedgerOptions) {
  const connection = new LedgerConnection(options);
  let current: Stores | undefined;
  const storesOf = (database: DatabaseSync): Stores => {
    if (current?.database !== database) current = openStores(database);
    return current;
  };
  const read = <T>(work: (stores: Stores) => T): T =>
    connection.read((database) => work(storesOf(database)));
  const write = <T>(work: (stores: Stores) => T): T => {
    const result = connection.write((database) => work(storesOf(database)));
    options.onWrite();
    return result;
  };
  const writeWalks = <T>(work: (stores: Stores) => T): T =>
    write((stores) => {
      countChange(stores.database, 'walks');
      return work(stores);
    });

  /** Runs what has a connection of its own. */
  const elsewhere = async <T>(work: () => Promise<T>): Promise<T> => {
    // The tables of the file may be those of an older version.
    read(() => undefined);
    return work().catch((error: unknown) =>
      connection.read(() => {
        throw error;
      }),
    );
  };

  return {
    unfinishedWalks: () => read(({ walks }) => walks.unfinished()),
    beginWalk: (walk: NewWalk) => writeWalks(({ walks }) => walks.begin(walk)),
    pauseWalk: (id: number, isPaused: boolean) =>
      writeWalks(({ walks }) => walks.pause(id, isPaused)),
    saveStep: (id: number, lines: RecordLines, cursor: unknown) =>
      write((stores) => {
        stores.walks.saveCursor(id, cursor);
        return saveRows(stores, stores.walks.find(id), lines);
      }),
    storeRows: (
      history: LedgerHistory,
      lines: RecordLines,
      asOf: number,
      proved?: Interval & ReadOutcome,
    ) =>
      write((stores) => {
        const period = { from: 0, to: 0, ...proved };
        const walk = stores.walks.begin({ ...period, history, asOf, purpose: 'current' });
        const counts = saveRows(stores, walk, lines);
        if (proved) endWalk(stores, walk, proved);
        else stores.walks.drop(walk.id);
        return counts;
      }),
    endWalk: (id: number, result: ReadOutcome) =>
      writeWalks((stores) => endWalk(stores, stores.walks.find(id), result)),
    dropWalk: (id: number) => writeWalks(({ walks }) => walks.drop(id)),
    coverage: (history: LedgerHistory) => read(({ walks }) => walks.coverage(history)),
    noteOldestRow: (history: LedgerHistory, time: number, seenAt: number) =>
      writeWalks(({ walks }) => walks.noteOldestRow(history, time, seenAt)),
    oldestRows: (history: LedgerHistory) => read(({ walks }) => walks.oldestRows(history)),
    recordsIn: (history: LedgerHistory, interval: Interval, limit: number) =>
      read(({ rowQuery }) => rowQuery.newest(history, interval, limit)),
    areStored: (history: LedgerHistory, records: readonly Readonly<Record<string, string>>[]) =>
      read((stores) => recordStore(stores, history).areStored(records)),
    keepSymbols: (symbols: readonly SymbolAsset[]) =>
      connection.write((database) => {
        new SymbolAssets(database).keep(symbols);
        // What the analysis of trades says may be another thing now.
        countChange(database, 'trades');
      }),
    addCheckpoint: (checkpoint: Checkpoint) =>
      connection.write((database) => addCheckpoint(database, checkpoint)),
    rows: (query: LedgerQuery, offset: number, limit: number) =>
      read(({ rowQuery }) => rowQuery.page(query, offset, limit)),
    piece: (query: LedgerQuery, place: RowPlace | null, limit: number) =>
      read(({ rowQuery }) => rowQuery.piece(query, place, limit)),
    past: (history: LedgerHistory, line: RecordJson) =>
      read((stores) => recordStore(stores, history).pastOf(line)),
    versions: () => read(({ database }) => versionsOf(database, connection.identity)),
    findIds: (places: readonly IdPlace[], ids: readonly string[]) =>
      read(({ database }) => findIds(database, places, ids)),
    sums: (query: LedgerQuery, fields: readonly string[]) =>
      read(({ database }) => fieldSums(database, query, fields)),
    feeSign: () => read(({ database }) => provedFeeSign(database)),
    checkpoints: (interval: Interval) => read(({ database }) => checkpointsIn(database, interval)),
    reconcile: () => elsewhere(options.reconcile),
    analyse: (request: AnalysisRequest) => elsewhere(() => options.analyse(request)),
    known: (histories: readonly LedgerHistory[], period: Interval, now: number) =>
      read(({ database }) =>
        analysisCoverage(database, histories, { view: 'positions', period, now }),
      ),
    newestCheckpoint: (hasFeeTable: boolean) =>
      read(({ database }) => newestCheckpoint(database, hasFeeTable)),
    compare: (source: BotSource, choices: ComparisonChoices) =>
      elsewhere(() => options.compare(source, choices)),
    previewBotFile: (file: string) => options.previewBotFile(file),
    claimWriting: () => connection.read(() => connection.claim()),
    releaseWriting: () => connection.read(() => connection.release()),
    backUp: (target: string) =>
      backUp(
        connection.read((database) => database),
        target,
      ),
    deleteFile: () => connection.delete(),
    close: () => connection.close(),
  };
}

function openStores(database: DatabaseSync): Stores {
  return {
    database,
    walks: new WalkStore(database),
    rowQuery: new RowQuery(database),
    records: new Map(),
  };
}

function recordStore({ database, records }: Stores, history: LedgerHistory): RecordStore {
  const store = records.get(history) ?? new RecordStore(database, history);
  records.set(history, store);
  return store;
}

function saveRows(stores: Stores, walk: SavedWalk, lines: RecordLines): StoredCounts {
  const counts = recordStore(stores, walk.history).save(walk, lines);
  if (counts.added + counts.changed > 0) countChange(stores.database, walk.history);
  return counts;
}

function endWalk(stores: Stores, walk: SavedWalk, result: ReadOutcome): void {
  if (result.completeness === 'complete') recordStore(stores, walk.history).markUnlisted(walk);
  stores.walks.end(walk, result);
  countChange(stores.database, walk.history);
}

/** Copies a ledger while it is used, checks the copy, and only then gives it the name `target`. */
async function backUp(database: DatabaseSync, target: string): Promise<void> {
  const draft = `${target}.${crypto.randomUUID().slice(0, 8)}.draft`;
  try {
    createEmptyFile(draft);
    await backup(database, draft);
    withFile(draft, assertUndamaged);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw asLedgerError(error);
  }
}

/** For each id, the index of the first of these places where it stands; −1 for none. All of them are indexed. */
function findIds(
  database: DatabaseSync,
  places: readonly IdPlace[],
  ids: readonly string[],
): Int8Array {
  const found = new Int8Array(ids.length).fill(-1);
  for (const [number, place] of places.entries()) {
    const left = [...ids.keys()].filter((index) => found[index] === -1);
    for (const index of indexesAt(database, place, ids, left)) found[index] = number;
  }
  return found;
}

/** The ids that stand there, of those with these indexes. */
function indexesAt(
  database: DatabaseSync,
  place: IdPlace,
  ids: readonly string[],
  indexes: readonly number[],
): readonly number[] {
  const { history, field } = place;
  const isText = columnsOf(history).some((one) => one.field === field && one.kind === 'reference');
  const sought = isText ? indexes : numbersAmong(database, place, ids, indexes);
  // The places in the list come as one text: a row for each would take longer than to find it.
  const statement = database.prepare(
    `SELECT json_group_array(key) AS keys FROM json_each(?)
     WHERE EXISTS (SELECT 1 FROM ${history} WHERE ${field} = ${isText ? 'value' : idKeySql('value')})`,
  );
  const { keys } = statement.get(JSON.stringify(sought.map((index) => ids[index]))) ?? {};
  return (JSON.parse(String(keys)) as number[]).flatMap((key) => sought[key] ?? []);
}

/** Those that have as many digits as ids of the place: most numbers of a log, such as its times, have others. */
function numbersAmong(
  database: DatabaseSync,
  { history, field }: IdPlace,
  ids: readonly string[],
  indexes: readonly number[],
): readonly number[] {
  const digits = (end: 'min' | 'max'): number =>
    numberOf(
      database,
      `SELECT ${idDigitsSql('id')} FROM (SELECT ${end}(${field}) AS id FROM ${history})`,
    );
  const [least, most] = [digits('min'), digits('max')];
  return indexes.filter((index) => {
    const { length } = ids[index] ?? '';
    // A number with leading zeros is not an id.
    return length >= least && length <= most && /^(?:0|[1-9]\d*)$/.test(ids[index] ?? '');
  });
}
