import type { NumberText } from '../base/decimal.ts';
import type { Interval } from '../base/interval.ts';
import type { FieldOfKind } from '../api/fields.ts';
import { operations, type HistoryName } from '../api/operations.ts';
import type { HistoryRecord, HistorySelection, RecordOf } from '../exchange/history/records.ts';
import type { AccountType, AssetBalance, FeeTier, Position } from '../exchange/records.ts';

/**
 * The histories of a ledger. Transactions are read by account, as the API asks for them (section 4.4):
 * each account has its own coverage.
 */
export const ledgerHistories = {
  orders: { operation: 'orders', filters: {} },
  trades: { operation: 'trades', filters: {} },
  lots: { operation: 'lots', filters: {} },
  futureTransactions: { operation: 'transactions', filters: { accountType: 'FUTURE' } },
  spotTransactions: { operation: 'transactions', filters: { accountType: 'SPOT' } },
} as const satisfies Readonly<Record<string, HistorySelection>>;

export type LedgerHistory = keyof typeof ledgerHistories;

/** The history of each account's transactions. */
export const transactionHistories = {
  FUTURE: 'futureTransactions',
  SPOT: 'spotTransactions',
} as const satisfies Readonly<Record<AccountType, LedgerHistory>>;

export const ledgerHistoryNames = Object.keys(ledgerHistories) as readonly LedgerHistory[];

export type Completeness = 'complete' | 'drifted' | 'unknown';

/** What a read proved. */
export type ReadOutcome = {
  readonly completeness: Completeness;
  /** Why rows may be missing; null if complete. */
  readonly reason: string | null;
};

/** A period of a history that was read, and what the read proved. */
export type Coverage = Interval &
  ReadOutcome & {
    /** When its read began, in epoch milliseconds of the exchange: later changes of older records are not in it. */
    readonly asOf: number;
  };

/**
 * A row that was the oldest one of complete reads that reached back to it and further. Times are when the first and
 * the last of them began, in epoch milliseconds of the exchange.
 */
export type OldestRow = {
  readonly time: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
};

/** A read of a period that was begun: `cursor` resumes it. */
export type SavedWalk = Interval & {
  readonly id: number;
  readonly history: LedgerHistory;
  /** The walk's cursor as JSON data; null before the first step. */
  readonly cursor: unknown;
  /** When it began, in epoch milliseconds of the exchange. */
  readonly asOf: number;
  /** A person asked for it, or it keeps the ledger current. */
  readonly purpose: 'download' | 'current';
  readonly isPaused: boolean;
};

export type NewWalk = Omit<SavedWalk, 'id' | 'cursor' | 'isPaused'>;

/** What a batch of records changed. */
export type StoredCounts = {
  readonly added: number;
  /** Stored before with other content: the older version is kept. */
  readonly changed: number;
};

/** A line of the fee table. */
export type FeeRates = Pick<FeeTier, 'tier' | 'maker' | 'taker'>;

/** What trades of the account cost, as far as it was known. */
export type CheckpointFees = {
  /** Sections 2.6: `feeTierStructure` and `feeTierDiscount`. */
  readonly tier: NumberText | null;
  readonly discount: NumberText | null;
  /** Those of the tier in the fee table; null until the table was read. */
  readonly rates: FeeRates | null;
  /** The whole table, if the checkpoint before did not have the same one. */
  readonly table?: readonly FeeRates[];
};

/** An account as one answer showed it. Lists and figures that could not be read are null. */
export type Checkpoint = {
  /** The exchange's time when the request left and when its answer arrived, with the error of the clock difference. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly clockErrorMs: number;
  readonly assets: readonly Pick<AssetBalance, 'name' | 'deposited' | 'margin' | 'locked'>[] | null;
  readonly positions:
    | readonly Pick<Position, 'symbol' | 'marginMode' | 'amount' | 'basePrice'>[]
    | null;
  readonly equity: string | null;
  readonly upl: string | null;
  readonly fees: CheckpointFees;
};

/** What reads and writes of the history of an account need. A call that waits for a long read of the file may end after later ones. */
export type LedgerWriter = {
  /** Walks that were begun and have not ended, oldest first. */
  unfinishedWalks(): Promise<readonly SavedWalk[]>;
  beginWalk(walk: NewWalk): Promise<SavedWalk>;
  pauseWalk(id: number, isPaused: boolean): Promise<void>;
  /**
   * Stores the records of a step and the cursor after them in one transaction. Records that share an
   * identity and come in the same walk are all kept; one that was stored by an earlier walk with other content
   * is updated, and its older version kept.
   */
  saveStep(id: number, records: readonly HistoryRecord[], cursor: unknown): Promise<StoredCounts>;
  /** Ends the walk: its period is covered with this result. */
  endWalk(id: number, result: ReadOutcome): Promise<void>;
  /** Ends the walk without covering its period; its records stay. */
  dropWalk(id: number): Promise<void>;
  /** Stores records that belong to no walk, as a step of one; with `proved`, as all that a walk showed of this period. */
  storeRows(
    history: LedgerHistory,
    records: readonly HistoryRecord[],
    asOf: number,
    proved?: Interval & ReadOutcome,
  ): Promise<StoredCounts>;
  coverage(history: LedgerHistory): Promise<readonly Coverage[]>;
  /** Keeps the time of the oldest row that the exchange listed then. */
  noteOldestRow(history: LedgerHistory, time: number, seenAt: number): Promise<void>;
  /** The records of an interval that the exchange still lists, newest first. */
  recordsIn(
    history: LedgerHistory,
    interval: Interval,
    limit: number,
  ): Promise<readonly HistoryRecord[]>;
  /** Whether the ledger has each of these records, whatever else they say; each has its `identityFields`. */
  areStored(history: LedgerHistory, records: readonly object[]): Promise<readonly boolean[]>;
  addCheckpoint(checkpoint: Checkpoint): Promise<void>;
};

/** The rows that a panel shows, over the whole ledger. */
export type LedgerQuery = {
  readonly history: LedgerHistory;
  readonly period: Interval;
  /** Field of the record, and the values that it may have. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Empty: everything. What it finds is decided by the kinds in `storage/columns.ts`. */
  readonly search: string;
  /** Null: newest first. Ties are in the order of time and id. */
  readonly sort: { readonly field: string; readonly isDescending: boolean } | null;
  /** Without the rows that the exchange no longer lists. */
  readonly isListed?: true;
};

/**
 * A row that a complete walk did not show again, while it showed an older and a newer one: the exchange no
 * longer lists it. `since` is when that walk began, in epoch milliseconds of the exchange.
 */
type UnlistedRow = { readonly index: number; readonly since: number };

export type LedgerRows = {
  readonly rows: readonly HistoryRecord[];
  /** Those of `rows` that the exchange no longer lists, by their index. */
  readonly unlisted: readonly UnlistedRow[];
  /** How many rows match. */
  readonly total: number;
  /** How many of them the exchange still lists. */
  readonly listed: number;
  /** How many of them have too many digits in the sorted field, and stand after the others as text. */
  readonly sortedAsText: number;
};

/** Where a piece of a query's rows begins. Rows that are added after the first piece was read are in none of them. */
export type RowPlace = {
  /** The number of the last row that the history had. */
  readonly last: number;
  /** What the last row before the piece is sorted by; null at the start. */
  readonly after: readonly (number | bigint | string | Uint8Array | null)[] | null;
};

export type RowPiece = {
  readonly rows: readonly HistoryRecord[];
  /** To read the same rows again, from the first one on. */
  readonly start: RowPlace;
  /** Null after the last piece. */
  readonly next: RowPlace | null;
};

/** What became of a record. Times are when the walk began that saw it, in epoch milliseconds of the exchange. */
export type RecordPast = {
  /** Null while the exchange lists it. */
  readonly unlistedSince: number | null;
  /** What it said before, and when it was seen changed, newest first. */
  readonly versions: readonly { readonly record: HistoryRecord; readonly replacedAt: number }[];
};

/** Exact figures of all matching rows that have a numeric field, in one unit, which the exchange still lists. */
export type FieldSum = {
  readonly field: string;
  /** The asset of the row, if the record names it; otherwise its symbol or null. */
  readonly unit: string | null;
  /** How many rows have the field, and how many lack it. */
  readonly count: number;
  readonly lacking: number;
  /** These three are of the rows that have it: `0` if none has. */
  readonly sum: string;
  readonly min: string;
  readonly max: string;
};

export type LedgerRecord<History extends LedgerHistory = LedgerHistory> =
  RecordOf[(typeof ledgerHistories)[History]['operation']];

/** What the reconciliation checks, in the order of its report. */
export const identityNames = [
  'deposited',
  'position',
  'tradeFees',
  'realizedPl',
  'transferLegs',
  'filled',
  'averageExecutionPrice',
] as const;
export type IdentityName = (typeof identityNames)[number];

/** How often an identity must hold before it can contradict. */
export const minTimesHeld = 5;

/** How long before the time of a row a balance may show it. */
export const postingDelayMs = 5000;

/** A period over which figures and rows agree. */
export type AgreedPeriod = Interval & { readonly intervals: number };

/** A period whose rows cannot explain the change of a figure, or records with one key that do not fit. */
export type Contradiction = Interval & {
  /** What the rows lack; negative if they are too much. */
  readonly remainder: NumberText;
  /** The order or the transfer, if it is about one. */
  readonly key: string | null;
};

/** The time between two checkpoints in which a figure or its rows changed. */
export type ComparedInterval = Interval & {
  /** At the later checkpoint. */
  readonly figure: NumberText;
  readonly change: NumberText;
  /** The change without the sum of the rows. */
  readonly remainder: NumberText;
  readonly isContradicted: boolean;
};

/** What may be wrong with the rows of a contradicted period. */
export type CandidateKind =
  | 'withoutTransaction'
  | 'countedTwice'
  | 'flippedSign'
  | 'alteredAmount'
  | 'missing';

export type CandidateRow = {
  readonly history: LedgerHistory;
  readonly record: LedgerRecord;
  /** What it should say; null if it should not be there. */
  readonly rightAmount: NumberText | null;
};

/** One explanation of a remainder. It never invents a row: a missing one is known only by its amount. */
export type Candidate = {
  readonly kind: CandidateKind;
  /** How many rows fit equally. */
  readonly count: number;
  /** Some of these rows; for a missing row, the trades or transfers that it belongs to, if they are known. */
  readonly rows: readonly CandidateRow[];
  /** What a missing row says. */
  readonly amount: NumberText | null;
  /** Whether another record confirms it: a trade, or the other leg of a transfer. */
  readonly isWitnessed: boolean;
};

/** Whether an exchange books in this way. */
export type Applicability = 'applies' | 'undecided' | 'doesNotApply';

export type Verdict = 'proved' | 'contradicted' | 'undecided';

/** Why a verdict is open. */
export type UndecidedReason =
  /** The identity has not held often enough on this exchange. */
  | 'notLearned'
  /** The identity does not fit this exchange. */
  | 'doesNotApply'
  /** No two checkpoints, or no order or transfer, whose records are known to be complete. */
  | 'notCovered'
  /** Another way of booking explains better what the exchange's usual one does not. */
  | 'otherReading'
  /** Too many rows lie inside of the brackets, or a liquidation may have had no trade. */
  | 'unclear'
  /** A fee transaction belongs to no trade: a fee of something else, or its trade is missing. */
  | 'feeWithoutTrade';

/** The verdict of an identity on one asset or symbol. */
export type SubjectReport = {
  readonly subject: string;
  readonly verdict: Verdict;
  readonly reason: UndecidedReason | null;
  /** Intervals with rows, orders or transfers that agree. */
  readonly held: number;
  readonly periods: readonly AgreedPeriod[];
  /** Oldest first. */
  readonly contradictions: readonly Contradiction[];
  /** Where fee transactions that belong to no trade are too much, oldest first. */
  readonly withoutTrade: readonly Contradiction[];
  /** The largest remainder, without its sign, of those that agree within float rounding or the digits of figures. */
  readonly rounded: NumberText;
  /** Of balances and positions, oldest first: the first contradicted ones and the newest others. */
  readonly intervals: readonly ComparedInterval[];
  /** How many intervals with a change there are. */
  readonly intervalCount: number;
  /** What may be wrong in the first contradiction, the likeliest first. */
  readonly candidates: readonly Candidate[];
};

export type IdentityReport = {
  readonly identity: IdentityName;
  /** The way of booking that fits best. */
  readonly reading: string;
  /** Whose records it compares. */
  readonly histories: readonly LedgerHistory[];
  readonly applicability: Applicability;
  readonly held: number;
  readonly failed: number;
  /** Where its histories are complete. */
  readonly covered: readonly Interval[];
  readonly subjects: readonly SubjectReport[];
};

/** Plain JSON data. */
export type ReconciliationReport = readonly IdentityReport[];

/**
 * Of each history, a text that is another one once its rows or its coverage changed, whichever window wrote
 * them; `walks` is the same of the walks that were begun and have not ended, and `checkpoints` of those.
 */
export type LedgerVersions = Readonly<Record<LedgerHistory | 'walks' | 'checkpoints', string>>;

/** A field of a history that has the id of a record, or of what the record belongs to. */
export type IdPlace = {
  [History in LedgerHistory]: {
    readonly history: History;
    readonly field: FieldOfKind<RecordNameOf<History>, 'id' | 'reference'>;
  };
}[LedgerHistory];

type RecordNameOf<History extends LedgerHistory> =
  (typeof operations)[(typeof ledgerHistories)[History]['operation']]['of'];

/** Whether a fee that was paid is positive or negative in trades; null if the ledger does not prove it. */
export type FeeSign = 'positive' | 'negative' | null;

export type LedgerReader = {
  rows(query: LedgerQuery, offset: number, limit: number): Promise<LedgerRows>;
  /** All rows of a query, a piece at a time: of `null`, or of `next` of the piece before. */
  piece(query: LedgerQuery, place: RowPlace | null, limit: number): Promise<RowPiece>;
  sums(query: LedgerQuery, fields: readonly string[]): Promise<readonly FieldSum[]>;
  /** What became of a record that `rows` returned. */
  past(history: LedgerHistory, record: HistoryRecord): Promise<RecordPast>;
  /** The oldest rows that the exchange ever listed, oldest first. */
  oldestRows(history: LedgerHistory): Promise<readonly OldestRow[]>;
  versions(): Promise<LedgerVersions>;
  /** For each id, the index of the first of these places where it stands; −1 for none. */
  findIds(places: readonly IdPlace[], ids: readonly string[]): Promise<ArrayLike<number>>;
  checkpoints(interval: Interval): Promise<readonly Checkpoint[]>;
  /** With `hasFeeTable`, the newest that has the whole fee table. Null if there is none. */
  newestCheckpoint(hasFeeTable: boolean): Promise<Checkpoint | null>;
  feeSign(): Promise<FeeSign>;
  /** Compares everything that the ledger has in periods that are complete. */
  reconcile(): Promise<ReconciliationReport>;
};

export function operationOf(history: LedgerHistory): HistoryName {
  return ledgerHistories[history].operation;
}

/** Of one request. */
export function weightOf(history: LedgerHistory): number {
  return operations[operationOf(history)].weight;
}
