import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Disposable } from '../../base/disposable.ts';
import type { Interval } from '../../base/interval.ts';
import { dayMs, hourMs, type Clock } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import type { HistorySelection } from '../../exchange/history/records.ts';
import type { SavedWalk } from '../../ledger/ledger.ts';
import type { LedgerClient } from '../../ledger/ledgerClient.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import { Ledgers } from '../../ledger/ledgers.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';
import { canContinue } from '../../ledger/sync/walkRunner.ts';
import { withFileErrors } from './exportFileError.ts';
import type { ExportPlan } from './exportPlan.ts';

/** How long an unfinished export is kept after its last rows came. */
const retentionMs = dayMs;
const waitMs = 250;

type ExportLedgersOptions = {
  /** Only this user may read it. All windows share it. */
  readonly folder: string;
  /** That of ledgers. */
  readonly workerFile: string;
  readonly clock: Clock;
};

type OpenOptions = {
  readonly client: Pick<ExchangeClient, 'conventions'>;
  readonly request: HistorySelection;
  readonly signal: AbortSignal;
  /** Another window, or another export of this one, reads the same rows. */
  readonly onWait: () => void;
};

/**
 * The temporary ledgers of exports: each has what its export read from the exchange, until its file is written. Its
 * name is made of the profile and of what is exported, so that the same export finds it again.
 */
export class ExportLedgers {
  private readonly options: ExportLedgersOptions;
  private readonly ledgers: Ledgers;

  constructor(options: ExportLedgersOptions) {
    this.options = options;
    this.ledgers = new Ledgers({ ...options, isTemporary: true, onSetAside: removeDamaged });
  }

  /** The period of an interrupted export that this plan resumes; undefined if another window works on it. */
  async find(plan: ExportPlan): Promise<Interval | undefined> {
    const id = idOf(plan);
    if (!this.ledgers.exists(id)) return undefined;
    const store = this.ledgers.open(id);
    try {
      if (!(await store.claimWriting())) return undefined;
      const [whole] = await store.unfinishedWalks();
      return whole && this.isOver(whole, id) ? undefined : whole;
    } catch (error) {
      if (error instanceof LedgerError) return undefined;
      throw error;
    } finally {
      await store.close();
    }
  }

  /** Begins an export or resumes it, once nobody else works on it. */
  async open(plan: ExportPlan, { client, request, ...wait }: OpenOptions): Promise<ExportLedger> {
    const id = idOf(plan);
    const store = this.ledgers.open(id);
    const isResumable = (part: SavedWalk): boolean =>
      part.cursor === null || canContinue(part, client, request);
    try {
      for (;;) {
        await this.claim(store, id, wait);
        const [whole, ...parts] = await store.unfinishedWalks();
        const file = this.madeFileOf(id);
        if (!whole) return await this.begin(plan, request, store, file);
        if (!this.isOver(whole, id) && parts.every(isResumable)) {
          for (const { id, cursor } of parts) if (cursor === null) await store.dropWalk(id);
          return new ExportLedger(store, whole, file);
        }
        await store.deleteFile();
      }
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Removes all of a profile's exports. One that runs fails when it saves the next rows. */
  removeOfProfile(profile: string): Promise<void> {
    const prefix = profilePrefix(profile);
    return withFileErrors('storage', async () => {
      for (const id of this.filesById().keys()) if (id.startsWith(prefix)) await this.remove(id);
    });
  }

  /** Removes exports that nobody continued for 24 hours. */
  removeExpired(): Promise<void> {
    return withFileErrors('storage', async () => {
      for (const [id, files] of this.filesById())
        if (this.isExpired(files)) await this.removeUnused(id);
    });
  }

  /** Removes expired exports now and every hour, until disposed. */
  removeExpiredHourly(onError: (error: unknown) => void): Disposable {
    let stopTimer = (): void => undefined;
    const run = (): void => {
      stopTimer = this.options.clock.after(hourMs, run);
      this.removeExpired().catch(onError);
    };
    run();
    return { dispose: () => stopTimer() };
  }

  /** The file may be deleted while another export waits for it: that one creates a new one. */
  private async claim(
    store: LedgerClient,
    id: string,
    { signal, onWait }: Pick<OpenOptions, 'signal' | 'onWait'>,
  ): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      this.ledgers.create(id);
      if (await store.claimWriting().catch(falseIfGone)) return;
      onWait();
      await setTimeout(waitMs, undefined, { signal });
    }
  }

  private async begin(
    plan: ExportPlan,
    request: HistorySelection,
    store: LedgerClient,
    file: string,
  ): Promise<ExportLedger> {
    const whole = await store.beginWalk({
      ...plan.range,
      history: ledgerHistoryOf(request),
      asOf: this.options.clock.now(),
      purpose: 'download',
    });
    return new ExportLedger(store, whole, file);
  }

  /** It was moved to its place, and its process ended before it deleted the rest. */
  private isOver({ cursor }: SavedWalk, id: string): boolean {
    return cursor !== null && !existsSync(this.madeFileOf(id));
  }

  /** The clock may have been ahead. A file that is gone by now belongs to an export that has just ended. */
  private isExpired(files: readonly string[]): boolean {
    const now = this.options.clock.now();
    return files.every((file) => {
      const { mtimeMs = now } = statSync(file, { throwIfNoEntry: false }) ?? {};
      return Math.abs(now - mtimeMs) > retentionMs;
    });
  }

  /** Unless an export works on it. One that cannot be read has no rows to lose. */
  private async removeUnused(id: string): Promise<void> {
    const store = this.ledgers.open(id);
    try {
      if (!(await store.claimWriting())) return;
      removeMade(this.madeFileOf(id));
      await store.deleteFile();
      return;
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
    } finally {
      await store.close();
    }
    await this.remove(id);
  }

  private madeFileOf(id: string): string {
    return `${this.ledgers.fileOf(id)}.file`;
  }

  private async remove(id: string): Promise<void> {
    for (const file of this.filesById().get(id) ?? [])
      await rm(file, { recursive: true, force: true });
  }

  /** The paths of each export: its ledger, and the file that is made of it. */
  private filesById(): ReadonlyMap<string, readonly string[]> {
    const { folder } = this.options;
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const byId = Map.groupBy(names, (name) => name.replace(/\..*$/, ''));
    return new Map([...byId].map(([id, own]) => [id, own.map((name) => path.join(folder, name))]));
  }
}

/** The temporary ledger of one export, which no other export has open. */
export class ExportLedger {
  readonly store: LedgerClient;
  /** The period of the export, and when it began. It is not read itself: its parts are. */
  readonly whole: SavedWalk;
  /** The path of the file or folder that is made of the rows. */
  readonly file: string;

  constructor(store: LedgerClient, whole: SavedWalk, file: string) {
    this.store = store;
    this.whole = whole;
    this.file = file;
  }

  /** The path of the meta file. */
  get meta(): string {
    return madeMetaOf(this.file);
  }

  /** What is read from the exchange, in the order in which it was begun. */
  async parts(): Promise<readonly SavedWalk[]> {
    const [, ...parts] = await this.store.unfinishedWalks();
    return parts;
  }

  /** How many bytes there is room for. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(path.dirname(this.file));
    return bavail * bsize;
  }

  /** The file is made: once it is no longer there, it is in its place, and this export is over. */
  async noteMade(): Promise<void> {
    await this.store.saveStep(this.whole.id, [], 'made');
  }

  /** Leaves what was read to the next export of the same rows. */
  close(): Promise<void> {
    return this.endWith(() => this.store.saveStep(this.whole.id, [], null));
  }

  delete(): Promise<void> {
    return this.endWith(() => this.store.deleteFile());
  }

  removeMade(): void {
    removeMade(this.file);
  }

  /** Whatever fails, who waits for this export has its turn. */
  private async endWith(work: () => Promise<unknown>): Promise<void> {
    try {
      this.removeMade();
      await work();
    } finally {
      await this.store.close();
    }
  }
}

function removeMade(file: string): void {
  for (const made of [file, madeMetaOf(file)]) rmSync(made, { recursive: true, force: true });
}

function madeMetaOf(file: string): string {
  return `${file}.meta`;
}

/** Nobody looks for rows in it. */
function removeDamaged(aside: string): void {
  for (const file of [aside, `${aside}-journal`]) rmSync(file, { force: true });
}

/** A damaged ledger is replaced by an empty one. */
function falseIfGone(error: unknown): false {
  const isGone = error instanceof LedgerError && ['missing', 'damaged'].includes(error.problem);
  if (!isGone) throw error;
  return false;
}

/** The start of the names of a profile's exports. */
export function profilePrefix(profile: string): string {
  return `${createHash('sha256').update(profile).digest('hex').slice(0, 16)}-`;
}

function idOf({ profile, key }: ExportPlan): string {
  return `${profilePrefix(profile)}${key.slice(0, 24)}`;
}
