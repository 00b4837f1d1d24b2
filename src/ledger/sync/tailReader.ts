import { missingRecords } from '../../exchange/badRecords.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { maxPeriodMs } from '../../exchange/conventions/rangeLimit.ts';
import { ExchangeError } from '../../exchange/exchangeError.ts';
import { readSourcePage, type HistorySourcePage } from '../../exchange/history/historySource.ts';
import {
  timeOf,
  type HistoryRecord,
  type HistoryRequest,
} from '../../exchange/history/historyRecords.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import {
  commitDelayMs,
  defaultPageSize,
  type ReadResult,
  type ReadIncompleteReason,
} from '../../exchange/history/readToEnd.ts';
import { maxTruncationMs } from '../../exchange/history/walk/timeWindow.ts';
import { recordsChange } from '../coverage/coverageParts.ts';
import {
  ledgerHistories,
  type LedgerHistory,
  type LedgerWriter,
  type StoredCounts,
} from '../ledger.ts';
import { questionStart, tailStartOf, type TailStart } from './tail.ts';
import { withBadRecords } from './walkRunner.ts';
import { isConclusive, orderOf } from '../../exchange/history/walk/answer.ts';

export type TailReaderOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'serverNow'>;
  readonly writer: LedgerWriter;
};

/** Whether a person waits for a page. */
type TailPriority = 'interactive' | 'bulk';

/** What a page brought. */
export type TailRead = {
  readonly items: readonly HistoryRecord[];
  /** Those that the ledger did not have. */
  readonly newItems: readonly HistoryRecord[];
  readonly counts: StoredCounts;
};

type Page = HistorySourcePage<HistoryRecord>;

type Question = {
  readonly period: NonNullable<HistoryRequest['period']>;
  /** Rows that the page must repeat. */
  readonly known: readonly HistoryRecord[];
};

/** `page` is undefined if it was refused, `result` if rows are left between the page and the known ones. */
type JudgedPage = {
  readonly tail: TailStart;
  readonly asOf: number;
  readonly page: Page | undefined;
  readonly result: ReturnType<typeof withBadRecords> | undefined;
};

/** Reads the newest page of a history into the ledger, and decides what it proves. */
export class TailReader {
  private readonly options: TailReaderOptions;
  private readonly largestPages = new Map<LedgerHistory, number>();
  /** Whether the exchange wants both ends of a period. */
  private needsEnd = false;

  constructor(options: TailReaderOptions) {
    this.options = options;
  }

  /** Also while its first download runs. */
  async isDownloaded(history: LedgerHistory): Promise<boolean> {
    return (await tailStartOf(this.options.writer, history)) !== null;
  }

  /** Undefined if the history was never downloaded. Rejects with ExchangeError or the signal's reason. */
  async read(
    history: LedgerHistory,
    priority: TailPriority,
    signal: AbortSignal,
  ): Promise<TailRead | undefined> {
    const { client, writer } = this.options;
    const found = await tailStartOf(writer, history);
    if (!found) return undefined;
    const asOf = client.serverNow();
    const question = this.questionFor(found, asOf);
    const page = await this.readPage(history, question, { priority, signal });
    const result = page && this.judge(history, { ...found, ...question }, page);
    const items = page?.items ?? [];
    const areStored = await writer.areStored(history, items);
    const newItems = items.filter((_record, index) => !areStored[index]);
    const counts = await this.store(history, { tail: found, asOf, page, result });
    return { items, newItems, counts };
  }

  /** Stores what a page gave. What it does not reach is left to a walk. */
  private async store(
    history: LedgerHistory,
    { tail, asOf, page, result }: JudgedPage,
  ): Promise<StoredCounts> {
    const { writer } = this.options;
    const late = page ? lateRows(history, tail, page) : [];
    const from = Math.min(tail.from, ...late.map((record) => timeOf(record) ?? tail.from));
    const to = asOf - commitDelayMs;
    const walk = { from: Math.min(from, to - 1), to, history, asOf, purpose: 'current' } as const;
    const { id } = await writer.beginWalk(walk);
    const counts = await writer.saveStep(id, page?.items ?? [], null);
    const drifted = { completeness: 'drifted', reason: null } as const;
    const isNewer = from < to;
    if (isNewer && result) await writer.endWalk(id, late.length > 0 ? drifted : result);
    else await writer.dropWalk(id);
    if (isNewer && !result) await writer.beginWalk(walk);
    return counts;
  }

  /** Undefined if the exchange refuses the question: a walk asks otherwise. */
  private async readPage(
    history: LedgerHistory,
    { period }: Question,
    waiting: { readonly priority: TailPriority; readonly signal: AbortSignal },
  ): Promise<Page | undefined> {
    const { client } = this.options;
    const size = client.conventions.current.maxPageSize ?? defaultPageSize;
    const request: HistoryRequest = { ...ledgerHistories[history], period, page: 0, size };
    const options = { ...waiting, isSingleAttempt: true };
    return readSourcePage(client, request, options).catch((error: unknown) => {
      if (!(error instanceof ExchangeError) || error.failure.kind !== 'refused') throw error;
      this.needsEnd = true;
      return undefined;
    });
  }

  /** Undefined if the page does not reach the known rows. */
  private judge(history: LedgerHistory, { from, known }: TailStart & Question, page: Page) {
    const { conventions } = this.options.client;
    const sent = page.items.length + missingRecords(page.badRecords).length;
    const largestPage = this.largestPages.get(history) ?? 0;
    this.largestPages.set(history, Math.max(largestPage, sent));
    const isNewestFirst =
      conventions.current.sort === 'newestFirst' && conventions.sourceOf('sort') !== 'assumed';
    const verdict = judgeTail({ page, known, isNewestFirst, largestPage });
    if (verdict === 'notReached') return undefined;
    const { filters } = ledgerHistories[history];
    const [unproven] = conventions.unprovenConventions({ filters, period: { from } }, sent === 0);
    return withBadRecords(resultOf(verdict, unproven), page.badRecords.length);
  }

  /**
   * The end is open, or lies ahead where the exchange needs both: one that reads ends coarsely must not
   * cut off the newest rows. A question cannot repeat known rows further back than its longest period.
   */
  private questionFor(tail: TailStart, asOf: number): Question {
    const longestMs = maxPeriodMs(this.options.client.conventions.current) ?? Infinity;
    if (longestMs === Infinity && !this.needsEnd)
      return { period: { from: questionStart(tail) }, known: tail.known };
    const to = asOf + Math.min(maxTruncationMs, Math.floor(longestMs / 2));
    const known = tail.known.filter(
      (record) => questionStart({ ...tail, known: [record] }) >= to - longestMs,
    );
    const from = Math.max(questionStart({ ...tail, known }), to - longestMs);
    return { period: { from, to }, known };
  }
}

function resultOf(
  verdict: 'proven' | { readonly unproven: NonNullable<ReadResult['reason']> },
  unprovenConvention: ReadResult['reason'] | undefined,
): ReadResult {
  if (verdict !== 'proven') return { completeness: 'unknown', reason: verdict.unproven };
  const reason = unprovenConvention ?? null;
  return { completeness: reason ? 'unknown' : 'complete', reason };
}

/** Rows where all were read before: they came late, or moved. Orders and lots are listed late as a rule. */
function lateRows(
  history: LedgerHistory,
  { known, complete }: TailStart,
  { items }: Page,
): readonly HistoryRecord[] {
  const oldest = timeOf(known.at(-1) ?? {});
  if (recordsChange(history) || !complete || oldest === undefined) return [];
  const identities = new Set(known.map(identityOf));
  const { from, to } = { from: Math.max(complete.from, oldest + 1), to: complete.to };
  return items.filter((record) => {
    const time = timeOf(record) ?? Number.NaN;
    return time >= from && time < to && !identities.has(identityOf(record));
  });
}

/** No exchange gives fewer rows of one question than this, however many there are. */
const leastDepth = 20;

/** What one page was asked for: the newest rows, back to some that the ledger has. */
export type TailPage = {
  readonly page: HistorySourcePage<HistoryRecord>;
  /** The newest known rows before the tail: the page was asked for all of them again. */
  readonly known: readonly HistoryRecord[];
  /** Whether the exchange is known to give the newest rows first. */
  readonly isNewestFirst: boolean;
  /** The most rows that it gave in one answer of this history. */
  readonly largestPage: number;
};

/** `notReached`: there are rows between the page and the known ones. */
type TailVerdict = 'proven' | 'notReached' | { readonly unproven: ReadIncompleteReason };

/**
 * Whether one page has every row after the known ones. A walk proves more, with more requests. A page
 * is enough only if
 * 1. it reaches the known rows: there is an overlap, and the page repeats all of it;
 * 2. the exchange counts no more rows than came;
 * 3. nothing can be missing between: the rows are newest first, with too many different times for chance,
 *    on an exchange that was seen to use this order; or the count is that of the rows, and the exchange
 *    gave more of them at once before.
 */
export function judgeTail({ page, known, isNewestFirst, largestPage }: TailPage): TailVerdict {
  const { items, badRecords, totalElements, ignoredFilters } = page;
  const shown = new Set(items.map(identityOf));
  const missing = known.filter((record) => !shown.has(identityOf(record)));
  const sent = items.length + missingRecords(badRecords).length;
  if (known.length > 0 && missing.length === known.length) return 'notReached';
  if (known.length === 0 || missing.length > 0) return { unproven: 'edgesUnproven' };
  if (ignoredFilters.length > 0) return { unproven: 'filterIgnored' };
  if (totalElements !== null && totalElements > sent) return { unproven: 'countDisagrees' };
  const rows = items.map((item) => ({ time: timeOf(item) ?? Number.NaN }));
  const isOrdered = isNewestFirst && isConclusive(rows) && orderOf(rows) === 'newestFirst';
  const isWhole = totalElements === sent && sent < Math.max(leastDepth, largestPage);
  return isOrdered || isWhole ? 'proven' : { unproven: 'orderUnproven' };
}
