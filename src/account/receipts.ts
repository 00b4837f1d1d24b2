import type { Phrase } from '../base/phrase.ts';
import * as v from 'valibot';
import { isNumberText, type NumberText } from '../base/decimal.ts';
import type { Connection, ErrorKind, Failure, Sent } from '../exchange/errors.ts';
import type { LockedOrders } from '../exchange/records.ts';
import { outcomes } from './cancelAll/outcome.ts';
import type { FieldTexts } from './fieldTexts.ts';
import type { Environment } from './profile.ts';

/** What open orders lock in one symbol. */
export type LockedFigures = Omit<LockedOrders, 'extra'>;

/** One cancel-all, as it is kept: plain data without a part of a key. Times are epoch milliseconds. */
export type Receipt = {
  readonly v: 1;
  readonly id: string;
  readonly profile: string;
  readonly environment: Environment;
  readonly origin: string;
  /** The account's fingerprint. */
  readonly account: string;
  /** What the plan named. `unread`: what was wrong with summaries that it could not name. */
  readonly before: {
    readonly asOf: number;
    readonly isFresh: boolean;
    readonly locked: readonly LockedFigures[];
    readonly unread: readonly Phrase[];
  };
  readonly sentAt: number;
  /** When the request ended; null while it is under way, or when its window ended before it. */
  readonly endedAt: number | null;
  /** `sending` until the request ended. */
  readonly outcome: 'sending' | (typeof outcomes)[number];
  readonly failure: Failure | null;
  /** The orders that the exchange returned, and the records of its answer that could not be read. */
  readonly canceled: readonly FieldTexts[];
  readonly unread: readonly UnreadRecord[];
  /** The read-backs in order; null where one failed or a part of it could not be read. */
  readonly after: readonly {
    readonly at: number;
    readonly locked: readonly LockedFigures[] | null;
  }[];
  /** After an unknown outcome: the orders that the history lists as CANCELED since the request was sent. */
  readonly evidence: Evidence | null;
};

/** What was wrong with a record, and its fields as they came; older receipts have none of these. */
export type UnreadRecord = Phrase & { readonly record?: FieldTexts };

/** Orders of the history that are CANCELED and dated at or after `since`, which is by the exchange's clock. */
export type Evidence = {
  readonly readAt: number;
  readonly since: number;
  /** The one page that was read was full. */
  readonly mayBeMore: boolean;
  readonly orders: readonly FieldTexts[];
  /** Records of that page that could not be read: any of them may be such an order. */
  readonly unread: number;
};

/** Where receipts are kept, for all windows of one person. */
export type ReceiptStore = {
  /** Keeps a receipt in place of the one with its id. */
  keep(receipt: Receipt): Promise<void>;
  /** The receipts of cancel-alls that were sent at or after a moment, newest first. */
  since(sentAtMs: number): Promise<readonly Receipt[]>;
};

/** Whether a cancel-all left, as far as is known, and was not refused. */
export function mayHaveActed({ outcome }: Receipt): boolean {
  return outcome !== 'notSent' && outcome !== 'refused';
}

/** A receipt from the text that it was kept as; undefined where that is damaged. */
export function parseReceipt(text: string): Receipt | undefined {
  try {
    const parsed = v.safeParse(receiptSchema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Every one of them, by their types: a receipt with another could not be read again. */
const errorKinds: Readonly<Record<ErrorKind, ErrorKind>> = {
  configuration: 'configuration',
  auth: 'auth',
  refused: 'refused',
  rateLimited: 'rateLimited',
  network: 'network',
  timeout: 'timeout',
  server: 'server',
  malformed: 'malformed',
  tooLarge: 'tooLarge',
  redirected: 'redirected',
};
const sentStates: Readonly<Record<Sent, Sent>> = {
  no: 'no',
  yes: 'yes',
  maybe: 'maybe',
};
const connections: Readonly<Record<Connection, Connection>> = {
  certificate: 'certificate',
  unreachable: 'unreachable',
  closed: 'closed',
  lost: 'lost',
};
const environments: Readonly<Record<Environment, Environment>> = {
  live: 'live',
  test: 'test',
  practice: 'practice',
};

const moment = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15));
const figure = v.custom<NumberText>((value) => typeof value === 'string' && isNumberText(value));
const record = v.array(v.tuple([v.string(), v.nullable(v.string())]));
const locked = v.array(
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

const failure = v.object({
  kind: v.enum(errorKinds),
  sent: v.enum(sentStates),
  operation: v.literal('cancelAll'),
  status: v.exactOptional(v.number()),
  retryAfterMs: v.exactOptional(v.number()),
  serverWords: v.exactOptional(v.string()),
  serverCode: v.exactOptional(v.string()),
  connection: v.exactOptional(v.enum(connections)),
  detail: v.exactOptional(v.union([v.string(), phraseSchema])),
});

const receiptSchema = v.object({
  v: v.literal(1),
  id: v.string(),
  profile: v.string(),
  environment: v.enum(environments),
  origin: v.string(),
  account: v.string(),
  before: v.object({
    asOf: moment,
    isFresh: v.boolean(),
    locked,
    unread: v.array(phraseSchema),
  }),
  sentAt: moment,
  endedAt: v.nullable(moment),
  outcome: v.picklist(['sending', ...outcomes]),
  failure: v.nullable(failure),
  canceled: v.array(record),
  unread: v.array(v.object({ ...phraseFields, record: v.exactOptional(record) })),
  after: v.array(v.object({ at: moment, locked: v.nullable(locked) })),
  evidence: v.nullable(
    v.object({
      readAt: moment,
      since: v.number(),
      mayBeMore: v.optional(v.boolean(), false),
      orders: v.array(record),
      unread: v.optional(v.number(), 0),
    }),
  ),
}) satisfies v.GenericSchema<unknown, Receipt>;
