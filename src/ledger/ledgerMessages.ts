import type { Interval } from '../base/interval.ts';
import type { Analysis, AnalysisRequest } from './analysis/analysis.ts';
import type { CallFailure, SetAsideReason } from './ledgerError.ts';
import type { SymbolAsset } from './storage/symbolAssets.ts';
import type {
  LedgerHistory,
  LedgerQuery,
  LedgerReader,
  LedgerRows,
  LedgerWriter,
  ReadOutcome,
  RecordPast,
  StoredCounts,
} from './ledger.ts';

/** Records as JSON, one each: they cross to and from the worker as text, which is copied and not parsed. */
export type RecordLines = readonly string[];

export type StoredPast = Pick<RecordPast, 'unlistedSince'> & {
  readonly versions: readonly { readonly line: string; readonly replacedAt: number }[];
};

/** What crosses between the threads as it is. */
type PlainCalls = Omit<
  LedgerWriter & LedgerReader,
  'saveStep' | 'storeRows' | 'recordsIn' | 'rows' | 'past' | 'reconcile'
>;

type Blocking<Call> = Call extends (...args: infer Args) => Promise<infer Answer>
  ? (...args: Args) => Answer
  : never;

/** What the worker of a ledger answers. */
export type LedgerCalls = {
  readonly [Name in keyof PlainCalls]: Blocking<PlainCalls[Name]>;
} & {
  readonly saveStep: (id: number, lines: RecordLines, cursor: unknown) => StoredCounts;
  readonly storeRows: (
    history: LedgerHistory,
    lines: RecordLines,
    asOf: number,
    proved?: Interval & ReadOutcome,
  ) => StoredCounts;
  readonly recordsIn: (history: LedgerHistory, interval: Interval, limit: number) => RecordLines;
  readonly keepSymbols: (symbols: readonly SymbolAsset[]) => void;
  readonly rows: (
    query: LedgerQuery,
    offset: number,
    limit: number,
  ) => Omit<LedgerRows, 'rows'> & { readonly lines: RecordLines };
  readonly past: (history: LedgerHistory, line: string) => StoredPast;
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

export type CallAnswer = { readonly value: unknown } | { readonly failure: CallFailure };

export type WorkerMessage =
  | ({ readonly kind: 'answer'; readonly id: number } & CallAnswer)
  /** The file could not be used and has this name now; the ledger starts again. */
  | { readonly kind: 'setAside'; readonly file: string; readonly reason: SetAsideReason };

/** What the worker of a ledger is started for. */
export type LedgerTask = {
  readonly kind: 'ledger';
  readonly file: string;
  readonly readOnly: boolean;
  /** Of the worker itself, which starts others for what takes long. */
  readonly workerFile: string;
};
