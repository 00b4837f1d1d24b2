import * as v from 'valibot';
import { isNumberText, type NumberText } from '../../base/decimal.ts';
import { isJsonObject, type JsonValue } from '../../base/exactJson.ts';
import type { Phrase } from '../../base/phrase.ts';
import { lastDateMs, secondMs } from '../../base/time.ts';
import { figuresOfOrders } from '../../exchange/accountFigures.ts';
import {
  connectionProblems,
  errorKinds,
  sentStates,
  type Failure,
} from '../../exchange/exchangeError.ts';
import type { RemoveSecrets } from '../../exchange/http/redactor.ts';
import type { BadRecord, CanceledOrder, LockedFigures } from '../../exchange/records.ts';
import { environments } from '../session/profile.ts';
import {
  cancelOutcome,
  isStillLocked,
  receiptOutcomes,
  type LockedReadBack,
  type RequestEnd,
} from './cancelOutcome.ts';

/** Why the account was not read for a question: the exchange asked for a pause, or the limit has no room. */
const skippedReadReasons = ['paused', 'limitUsed'] as const;
export type SkippedReadReason = (typeof skippedReadReasons)[number];

/** What was wrong with a record, and its fields as received; a list that was none has no fields. */
type UnreadRecord = Phrase & { readonly record?: ReceiptRecord };

/** Stores receipts for all windows of one user. */
export type ReceiptStore = {
  /** Replaces the receipt with the same id. */
  save(receipt: Receipt): Promise<void>;
  /** The receipts of cancel-alls that were sent at or after a moment, newest first. */
  sentSince(sentAtMs: number): Promise<readonly Receipt[]>;
};

/** Whether a cancel-all was sent, or may have been. */
export function wasSent({ outcome }: Receipt): boolean {
  return receiptOutcomes[outcome].wasSent;
}

/** Whether a cancel-all may have been sent, and was not refused. */
export function mayHaveActed({ outcome }: Receipt): boolean {
  return receiptOutcomes[outcome].mayHaveActed;
}

/** Whether reading again may show more: orders may still be open, or the read-back failed. */
export function needsRecheck({ outcome }: Receipt): boolean {
  return receiptOutcomes[outcome].needsRecheck;
}

type ReadBack = { readonly at: number; readonly locked: readonly LockedFigures[] };

/** The last read-back that succeeded. */
export function lastReadBack({ after }: Receipt): ReadBack | undefined {
  return after.flatMap(({ at, locked }) => (locked ? [{ at, locked }] : [])).at(-1);
}

/** Whether a refused request left everything locked that was locked before, as far as both were read. */
export function isProvenRefusal({ before, after }: Receipt): boolean {
  const now = after.at(-1)?.locked;
  const wasRead = before.isFresh && before.unread.length === 0 && before.locked.length > 0;
  return wasRead && now !== undefined && now !== null && isStillLocked(before.locked, now);
}

/** Whole seconds from the end of the request to a read-back. */
export function secondsAfterAnswer({ endedAt, sentAt }: Receipt, at: number): number {
  return Math.max(0, Math.floor((at - (endedAt ?? sentAt)) / secondMs));
}

/** A receipt from its stored text. */
export function parseReceipt(text: string): Receipt | 'damaged' | 'ofOtherVersion' {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), receiptSchema), text);
  if (parsed.success) return parsed.output;
  return v.is(v.pipe(v.string(), v.parseJson(), otherVersionSchema), text)
    ? 'ofOtherVersion'
    : 'damaged';
}

const moment = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(lastDateMs));
const figure = v.nullable(
  v.custom<NumberText>((value) => typeof value === 'string' && isNumberText(value)),
);
const record: v.GenericSchema<unknown, ReceiptRecord> = v.array(
  v.tuple([v.string(), v.nullable(v.string())]),
);
const locked: v.GenericSchema<unknown, readonly LockedFigures[]> = v.array(
  v.object({
    symbol: v.string(),
    lockedAsk: figure,
    sumSizeAsk: figure,
    lockedBid: figure,
    sumSizeBid: figure,
  }),
);
const phraseFields = {
  text: v.string(),
  values: v.array(v.union([v.string(), v.number(), v.lazy(() => phraseSchema)])),
};
const phraseSchema: v.GenericSchema<Phrase> = v.object(phraseFields);
const unreadRecord: v.GenericSchema<unknown, UnreadRecord> = v.object({
  ...phraseFields,
  record: v.exactOptional(record),
});

/** Each optional field too: without a schema it would be lost when a receipt is read. */
const failureFields = {
  kind: v.picklist(errorKinds),
  sent: v.picklist(sentStates),
  operation: v.picklist(['cancelAll', 'accounts']),
  status: v.exactOptional(v.pipe(v.number(), v.finite())),
  retryAfterMs: v.exactOptional(v.pipe(v.number(), v.finite())),
  serverWords: v.exactOptional(v.string()),
  serverCode: v.exactOptional(v.string()),
  isFromGateway: v.exactOptional(v.boolean()),
  connection: v.exactOptional(v.picklist(connectionProblems)),
  detail: v.exactOptional(v.union([v.string(), phraseSchema])),
} satisfies Record<keyof Failure, unknown>;
const failure: v.GenericSchema<unknown, Failure> = v.object(failureFields);

const version = 1;
const otherVersionSchema = v.object({ v: v.pipe(v.number(), v.notValue(version)) });

/** One cancel-all as stored: plain data without a part of a key. Times are epoch milliseconds. */
const receiptSchema = v.object({
  v: v.literal(version),
  id: v.string(),
  profile: v.string(),
  environment: v.picklist(environments),
  origin: v.string(),
  /** The account's fingerprint. */
  account: v.string(),
  /** What the question showed. */
  before: v.object({
    /** When the account was last read; null if it never was in that window. */
    asOf: v.nullable(moment),
    /** False if the account was not read for the question. */
    isFresh: v.boolean(),
    /** Why that read failed, if it did. */
    readFailure: v.exactOptional(failure),
    readSkipped: v.exactOptional(v.picklist(skippedReadReasons)),
    locked,
    /** What was wrong with summaries, or their list, that could not be read and are missing above. */
    unread: readonlyArray(phraseSchema),
  }),
  sentAt: moment,
  /** When the request ended; null while it is under way, or if the window closed before. */
  endedAt: v.nullable(moment),
  /** `sending` until the request ended. */
  outcome: v.picklist(Object.keys(receiptOutcomes) as (keyof typeof receiptOutcomes)[]),
  failure: v.nullable(failure),
  /** The orders that the exchange returned, and the records of its answer that could not be read. */
  canceled: readonlyArray(record),
  unread: readonlyArray(unreadRecord),
  /** The read-backs in order; null if one failed or a part of it could not be read. */
  after: readonlyArray(v.object({ at: moment, locked: v.nullable(locked) })),
});
export type Receipt = Readonly<v.InferOutput<typeof receiptSchema>>;

function readonlyArray<Item extends v.GenericSchema>(item: Item) {
  return v.pipe(v.array(item), v.readonly());
}

/**
 * The fields of a record by the API's names, then what else the exchange sent: each as received, digit
 * for digit; null if it was null.
 */
export type ReceiptRecord = readonly (readonly [name: string, text: string | null])[];

/** Every field of a record. `redact` runs on texts, never on numbers. */
export function receiptRecord(
  { extra, ...named }: CanceledOrder,
  redact: RemoveSecrets,
): ReceiptRecord {
  const clean = (text: string): string => (isNumberText(text) ? text : redact(text));
  const own = Object.entries(named).map(
    ([name, value]) => [name, value === null ? null : clean(value)] as const,
  );
  const others = Object.entries(extra).map(
    ([name, value]) => [redact(name), extraText(value, redact)] as const,
  );
  return [...own, ...others];
}

/** Every field of a record that broke its type; a value without fields becomes one field. */
function unreadableReceiptRecord(record: JsonValue, redact: RemoveSecrets): ReceiptRecord {
  if (!isJsonObject(record)) return [['record', extraText(record, redact)]];
  return Object.entries(record).map(([name, value]) => [redact(name), extraText(value, redact)]);
}

/** The text of a field by its name, if the record has one. */
export function receiptField(record: ReceiptRecord, name: string): string | undefined {
  return record.find(([field]) => field === name)?.[1] ?? undefined;
}

function extraText(value: JsonValue, redact: RemoveSecrets): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? redact(value) : JSON.stringify(redacted(value, redact));
}

function redacted(value: JsonValue, redact: RemoveSecrets): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(
    ([name, field]) => [redact(name), redacted(field, redact)] as const,
  );
  return Object.fromEntries(fields);
}

/** The request has ended; nothing was read back yet. */
export function withRequestEnd(
  receipt: Receipt,
  ended: RequestEnd,
  endedAt: number,
  redact: RemoveSecrets,
): Receipt {
  const outcome = cancelOutcome(ended, [], undefined);
  if (ended.kind === 'failed') return { ...receipt, endedAt, outcome, failure: ended.failure };
  const redactOnce = remembering(redact);
  return {
    ...receipt,
    endedAt,
    outcome,
    canceled: ended.canceled.map((order) => receiptRecord(order, redactOnce)),
    unread: ended.badRecords.map((bad) => unreadableRecord(bad, redact)),
  };
}

/** Most texts of 20,000 orders are the same few. */
function remembering(redact: RemoveSecrets): RemoveSecrets {
  const known = new Map<string, string>();
  return (text) => {
    const clean = known.get(text) ?? redact(text);
    known.set(text, clean);
    return clean;
  };
}

function unreadableRecord({ problem, record }: BadRecord, redact: RemoveSecrets): UnreadRecord {
  return record === undefined
    ? problem
    : { ...problem, record: unreadableReceiptRecord(record, redact) };
}

/** What is locked was read once more. */
export function withReadBack(
  receipt: Receipt,
  ended: RequestEnd,
  { at, locked, redact }: { at: number; locked: LockedReadBack; redact: RemoveSecrets },
): Receipt {
  const found = locked?.map((one) => figuresOf(one, redact));
  const { before, after } = receipt;
  return {
    ...receipt,
    outcome: cancelOutcome(ended, before.isFresh ? before.locked : [], found),
    after: [...after, { at, locked: found ?? null }],
  };
}

export function figuresOf(locked: LockedFigures, redact: RemoveSecrets): LockedFigures {
  return { ...figuresOfOrders(locked), symbol: redact(locked.symbol) };
}
