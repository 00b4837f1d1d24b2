import type { Analysis, AnalysisRequest } from './analysis/analysis.ts';
import type { CallFailure } from './callFailure.ts';
import type { SetAsideReason } from './ledgerError.ts';
import type { SymbolAsset } from './storage/symbolAssets.ts';
import type {
  Checkpoint,
  Coverage,
  FeeSign,
  FieldSum,
  IdPlace,
  Interval,
  LedgerHistory,
  LedgerQuery,
  LedgerRows,
  LedgerVersions,
  ReadOutcome,
  RecordPast,
  SavedWalk,
  StoredCounts,
} from './ledger.ts';

/** Records as JSON, one each: they cross to and from the worker as text, which is copied and not parsed. */
export type RecordLines = readonly string[];

export type StoredPast = Pick<RecordPast, 'unlistedSince'> & {
  readonly versions: readonly { readonly line: string; readonly replacedAt: number }[];
};

/** What the worker of a ledger answers. Those of the contract are in `ledger.ts`. */
export type LedgerCalls = {
  readonly unfinishedWalks: () => readonly SavedWalk[];
  readonly beginWalk: (walk: Omit<SavedWalk, 'id' | 'cursor' | 'isPaused'>) => SavedWalk;
  readonly pauseWalk: (id: number, isPaused: boolean) => void;
  readonly saveStep: (id: number, lines: RecordLines, cursor: unknown) => StoredCounts;
  readonly storeRows: (
    history: LedgerHistory,
    lines: RecordLines,
    asOf: number,
    proved?: Interval & ReadOutcome,
  ) => StoredCounts;
  readonly endWalk: (id: number, result: ReadOutcome) => void;
  readonly dropWalk: (id: number) => void;
  readonly coverage: (history: LedgerHistory) => readonly Coverage[];
  readonly recordsIn: (history: LedgerHistory, interval: Interval, limit: number) => RecordLines;
  readonly areStored: (history: LedgerHistory, records: readonly object[]) => readonly boolean[];
  readonly keepSymbols: (symbols: readonly SymbolAsset[]) => void;
  readonly addCheckpoint: (checkpoint: Checkpoint) => void;
  readonly rows: (
    query: LedgerQuery,
    offset: number,
    limit: number,
  ) => Omit<LedgerRows, 'rows'> & { readonly lines: RecordLines };
  readonly sums: (query: LedgerQuery, fields: readonly string[]) => readonly FieldSum[];
  readonly past: (history: LedgerHistory, line: string) => StoredPast;
  readonly versions: () => LedgerVersions;
  readonly findIds: (places: readonly IdPlace[], ids: readonly string[]) => Int8Array;
  readonly checkpoints: (interval: Interval) => readonly Checkpoint[];
  readonly feeSign: () => FeeSign;
  /** As `reportJson` writes it. */
  readonly reconcile: () => Promise<string>;
  readonly analyse: (request: AnalysisRequest) => Promise<Analysis>;
  readonly claimWriting: () => boolean;
  readonly releaseWriting: () => void;
  readonly backUp: (target: string) => Promise<void>;
  readonly close: () => void;
};

export type CallName = keyof LedgerCalls;

export type CallRequest = {
  readonly id: number;
  readonly name: CallName;
  readonly args: readonly unknown[];
};

export type WorkerMessage =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: CallFailure }
  /** The file could not be used and has this name now; the ledger starts again. */
  | { readonly kind: 'setAside'; readonly file: string; readonly reason: SetAsideReason };

/** What takes long on the file of a ledger. */
export type LongTask =
  | { readonly kind: 'check' | 'reconcile' }
  | { readonly kind: 'analyse'; readonly request: AnalysisRequest };

/** What each results in. */
export type TaskResults = {
  /** Whether the file is undamaged. */
  readonly check: boolean;
  /** As `reportJson` writes it. */
  readonly reconcile: string;
  readonly analyse: Analysis;
};

/** What its worker answers. */
export type TaskAnswer<Kind extends LongTask['kind']> =
  | { readonly result: TaskResults[Kind] }
  | { readonly failure: CallFailure };

/** What a worker is started for: a ledger, or what takes long on its file. */
export type WorkerTask =
  | {
      readonly kind: 'ledger';
      readonly file: string;
      readonly readOnly: boolean;
      /** Of the worker itself, which starts others for what takes long. */
      readonly workerFile: string;
    }
  | (LongTask & { readonly file: string });
