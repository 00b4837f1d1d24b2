import type { Interval } from '../../src/base/interval.ts';
import { timeOf, type HistoryRecord } from '../../src/exchange/history/historyRecords.ts';
import { identityOf } from '../../src/exchange/recordIdentity.ts';
import { compactCoverage } from '../../src/ledger/coverage/coverageParts.ts';
import type {
  Checkpoint,
  Coverage,
  LedgerHistory,
  LedgerWriter,
  NewWalk,
  ReadOutcome,
  SavedWalk,
  StoredCounts,
} from '../../src/ledger/ledger.ts';

type Stored = { readonly record: HistoryRecord; readonly walk: number };

/** A ledger in memory. What crosses its border is copied, as between threads. */
export class MemoryLedger implements LedgerWriter {
  readonly checkpoints: Checkpoint[] = [];
  /** Called before each write: what it throws, the write rejects with, and nothing is stored. */
  beforeWrite: (method: keyof LedgerWriter) => void = () => undefined;
  private readonly rows = new Map<LedgerHistory, Map<string, Stored[]>>();
  private readonly reads = new Map<LedgerHistory, readonly Coverage[]>();
  private walks: readonly SavedWalk[] = [];
  private lastId = 0;

  unfinishedWalks(): Promise<readonly SavedWalk[]> {
    return Promise.resolve(structuredClone(this.walks));
  }

  async beginWalk(walk: NewWalk): Promise<SavedWalk> {
    await this.write('beginWalk');
    this.lastId += 1;
    const begun = { ...walk, id: this.lastId, cursor: null, isPaused: false };
    this.walks = [...this.walks, begun];
    return structuredClone(begun);
  }

  async pauseWalk(id: number, isPaused: boolean): Promise<void> {
    await this.write('pauseWalk');
    this.change(id, { isPaused });
  }

  async saveStep(
    id: number,
    records: readonly HistoryRecord[],
    cursor: unknown,
  ): Promise<StoredCounts> {
    await this.write('saveStep');
    const { history } = this.walk(id);
    this.change(id, { cursor: JSON.parse(JSON.stringify(cursor)) as unknown });
    return this.storeAll(history, records, id);
  }

  async storeRows(
    history: LedgerHistory,
    records: readonly HistoryRecord[],
    asOf: number,
    proved?: Interval & ReadOutcome,
  ): Promise<StoredCounts> {
    await this.write('storeRows');
    this.lastId += 1;
    if (proved) this.cover(history, { ...proved, asOf });
    return this.storeAll(history, records, this.lastId);
  }

  private storeAll(
    history: LedgerHistory,
    records: readonly HistoryRecord[],
    id: number,
  ): StoredCounts {
    const outcomes = records.map((record) => this.store(history, structuredClone(record), id));
    const count = (outcome: keyof StoredCounts) => outcomes.filter((one) => one === outcome).length;
    return { added: count('added'), changed: count('changed'), unchanged: count('unchanged') };
  }

  async endWalk(id: number, result: Pick<Coverage, 'completeness' | 'reason'>): Promise<void> {
    await this.write('endWalk');
    const { history, from, to, asOf } = this.walk(id);
    this.cover(history, { from, to, asOf, ...result });
    this.drop(id);
  }

  async dropWalk(id: number): Promise<void> {
    await this.write('dropWalk');
    this.drop(id);
  }

  coverage(history: LedgerHistory): Promise<readonly Coverage[]> {
    return Promise.resolve(structuredClone(this.reads.get(history) ?? []));
  }

  recordsIn(
    history: LedgerHistory,
    { from, to }: Interval,
    limit: number,
  ): Promise<readonly HistoryRecord[]> {
    const own = this.records(history).filter((record) => at(record) >= from && at(record) < to);
    return Promise.resolve(structuredClone(own.slice(0, limit)));
  }

  areStored(history: LedgerHistory, records: readonly object[]): Promise<readonly boolean[]> {
    const stored = this.rows.get(history);
    return Promise.resolve(records.map((record) => stored?.has(identityOf(record)) === true));
  }

  async addCheckpoint(checkpoint: Checkpoint): Promise<void> {
    await this.write('addCheckpoint');
    this.checkpoints.push(structuredClone(checkpoint));
  }

  /** Newest first. */
  records(history: LedgerHistory): readonly HistoryRecord[] {
    const stored = [...(this.rows.get(history)?.values() ?? [])].flat();
    return stored.map(({ record }) => record).toSorted((one, other) => at(other) - at(one));
  }

  private store(history: LedgerHistory, record: HistoryRecord, walk: number): keyof StoredCounts {
    const byId = this.rows.get(history) ?? new Map<string, Stored[]>();
    this.rows.set(history, byId);
    const same = byId.get(identityOf(record)) ?? [];
    const text = JSON.stringify(record);
    if (same.some((stored) => JSON.stringify(stored.record) === text)) return 'unchanged';
    const ofThisWalk = same.filter((stored) => stored.walk === walk);
    byId.set(identityOf(record), [...ofThisWalk, { record, walk }]);
    return same.length > ofThisWalk.length ? 'changed' : 'added';
  }

  private walk(id: number): SavedWalk {
    const walk = this.walks.find((one) => one.id === id);
    if (!walk) throw new Error(`There is no walk ${id}.`);
    return walk;
  }

  private change(id: number, fields: Partial<SavedWalk>): void {
    this.walk(id);
    this.walks = this.walks.map((walk) => (walk.id === id ? { ...walk, ...fields } : walk));
  }

  private drop(id: number): void {
    this.walks = this.walks.filter((walk) => walk.id !== id);
  }

  private cover(history: LedgerHistory, read: Coverage): void {
    const reads = [...(this.reads.get(history) ?? []), read];
    this.reads.set(history, compactCoverage(history, reads));
  }

  /** A write takes its time. */
  private async write(method: keyof LedgerWriter): Promise<void> {
    await Promise.resolve();
    this.beforeWrite(method);
  }
}

function at(record: HistoryRecord): number {
  return timeOf(record) ?? 0;
}
