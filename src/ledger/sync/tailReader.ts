import { openEnd } from '../../base/interval.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { ExchangeError } from '../../exchange/exchangeError.ts';
import { historySource } from '../../exchange/history/source.ts';
import { timeOf, type HistoryRecord } from '../../exchange/history/records.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import { commitDelayMs, type ReadIncompleteReason } from '../../exchange/history/readToEnd.ts';
import {
  isConclusive,
  orderOf,
  rowsIn,
  type HistoryPage,
  type Row,
} from '../../exchange/history/page.ts';
import { isWholePage } from '../../exchange/history/walk/pages.ts';
import { recordsChange } from '../coverage/coverageParts.ts';
import {
  ledgerHistories,
  operationOf,
  type LedgerHistory,
  type LedgerWriter,
  type ReadOutcome,
  type StoredCounts,
} from '../ledger.ts';
import { readPage } from './ledgerPages.ts';
import { tailStartOf, type TailStart } from './tail.ts';
import { TailQuestions, type Question } from './tailQuestion.ts';

export type TailReaderOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'serverNow' | 'renewTime'>;
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
  /** How many requests it took. */
  readonly reads: number;
};

/** One read of the newest rows. */
type Read = {
  readonly history: LedgerHistory;
  readonly tail: TailStart;
  readonly asOf: number;
  readonly questions: TailQuestions;
  readonly waiting: { readonly priority: TailPriority; readonly signal: AbortSignal };
};

type AnsweredRead = Read & {
  readonly question: Question;
  readonly page: HistoryPage;
  /** The most rows that came at once before. */
  readonly largestPage: number;
};

/** Reads the newest page of a history into the ledger, and decides what it proves. */
export class TailReader {
  private readonly options: TailReaderOptions;
  private readonly questions = new Map<LedgerHistory, TailQuestions>();

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
    const tail = await tailStartOf(writer, history);
    if (!tail) return undefined;
    const waiting = { priority, signal };
    await client.renewTime(waiting);
    const questions = this.questions.get(history) ?? new TailQuestions();
    this.questions.set(history, questions);
    const read = { history, tail, asOf: client.serverNow(), questions, waiting };
    const before = questions.reads;
    const [page, result] = await this.readAndJudge(read);
    const items = page?.rows.map(({ item }) => item) ?? [];
    const areStored = await writer.areStored(history, items);
    const newItems = items.filter((_record, index) => !areStored[index]);
    const counts = await this.store(read, page, items, result);
    return { items, newItems, counts, reads: questions.reads - before };
  }

  /** Stores what a page gave. What it does not reach is left to a walk. */
  private async store(
    { history, tail, asOf }: Read,
    page: HistoryPage | undefined,
    items: readonly HistoryRecord[],
    result: ReadOutcome | undefined,
  ): Promise<StoredCounts> {
    const { writer } = this.options;
    const late = page ? lateRows(history, tail, page) : [];
    const from = Math.min(tail.from, ...late.map(({ time }) => time));
    const to = asOf - commitDelayMs;
    const isNewer = from < to;
    const drifted = { completeness: 'drifted', reason: null } as const;
    const proved =
      isNewer && result ? { from, to, ...(late.length > 0 ? drifted : result) } : undefined;
    const counts = await writer.storeRows(history, items, asOf, proved);
    if (isNewer && !result) await writer.beginWalk({ from, to, history, asOf, purpose: 'current' });
    return counts;
  }

  /** Without a page if the exchange refuses the question, and without a result if a walk must read what is new. */
  private async readAndJudge(
    read: Read,
  ): Promise<readonly [HistoryPage?, (ReadOutcome | undefined)?]> {
    const { tail, asOf, questions } = read;
    const longestMs = this.options.client.conventions.longestPeriodMs ?? Infinity;
    const test = questions.testFor(tail, asOf, longestMs);
    if (test) await this.readPage(read, test);
    const question = questions.questionFor(tail, asOf, longestMs);
    const { largestPage } = questions;
    const page = await this.readPage(read, question);
    if (page) return [page, await this.judge({ ...read, question, page, largestPage })];
    questions.noteRefusal();
    return [];
  }

  private async readPage(
    { history, waiting, questions }: Read,
    question: Question,
  ): Promise<HistoryPage | undefined> {
    const { period } = question;
    const options = { ...waiting, isSingleAttempt: true };
    questions.reads += 1;
    const page = await readPage(this.options.client, history, period, options).catch(
      (error: unknown) => {
        if (!(error instanceof ExchangeError) || error.failure.kind !== 'refused') throw error;
        return undefined;
      },
    );
    if (page) questions.note(question, page);
    return page;
  }

  /** Undefined if the page does not reach the known rows. */
  private async judge(read: AnsweredRead): Promise<ReadOutcome | undefined> {
    const { conventions } = this.options.client;
    const { page, question } = read;
    const { known } = question;
    const isNewestFirst = conventions.current.sort === 'newestFirst';
    const verdict = judgeTail({ page, known, isNewestFirst });
    if (verdict === 'notReached') return undefined;
    const [unproven = null] = page.unproven;
    const unreadable = page.badRecords.length > 0 ? 'unreadableRecords' : null;
    const reason = (await this.reasonOf(verdict, read)) ?? unproven ?? unreadable;
    return { completeness: reason ? 'unknown' : 'complete', reason };
  }

  /** Null if the page is proven. An answer may end before now. */
  private async reasonOf(
    verdict: Exclude<TailVerdict, 'notReached'>,
    read: AnsweredRead,
  ): Promise<ReadIncompleteReason | null> {
    const { questions, question, asOf } = read;
    const isUnordered = verdict !== 'proven' && verdict.unproven === 'orderUnproven';
    if (verdict !== 'proven' && !isUnordered) return verdict.unproven;
    if (!questions.reaches(question, asOf - commitDelayMs)) return 'edgesUnproven';
    return isUnordered && !(await this.isWhole(read)) ? 'orderUnproven' : null;
  }

  /** Without an order, what shows to a walk that a page is whole. */
  private async isWhole({
    history,
    question,
    page,
    questions,
    largestPage,
    waiting,
  }: AnsweredRead) {
    if (question.period.to === openEnd) return false;
    const { client } = this.options;
    const source = historySource(client, ledgerHistories[history], waiting.priority);
    const size = client.conventions.pageSize(operationOf(history));
    const { isWhole, reads } = await isWholePage(
      source,
      page,
      { size, largestPage },
      waiting.signal,
    );
    questions.reads += reads;
    return isWhole;
  }
}

/** Rows where all were read before: they came late, or moved. Orders and lots are listed late as a rule. */
function lateRows(
  history: LedgerHistory,
  { known, complete }: TailStart,
  { rows }: HistoryPage,
): readonly Row[] {
  const oldest = timeOf(known.at(-1) ?? {});
  if (recordsChange(history) || !complete || oldest === undefined) return [];
  const identities = new Set(known.map(identityOf));
  const period = { from: Math.max(complete.from, oldest + 1), to: complete.to };
  return rowsIn(rows, period).filter(({ id }) => !identities.has(id));
}

/** What one page was asked for: the newest rows, back to some that the ledger has. */
export type TailPage = {
  readonly page: Pick<HistoryPage, 'rows' | 'sent' | 'count' | 'ignoredFilters'>;
  /** The newest known rows before the tail: the page was asked for all of them again. */
  readonly known: readonly HistoryRecord[];
  /** Whether the exchange is known to give the newest rows first. */
  readonly isNewestFirst: boolean;
};

/** `notReached`: there are rows between the page and the known ones. */
type TailVerdict = 'proven' | 'notReached' | { readonly unproven: ReadIncompleteReason };

/**
 * Whether one page has every row after the known ones. A walk proves more, with more requests. A page
 * is enough only if
 * 1. it reaches the known rows: there is an overlap, and the page repeats all of it;
 * 2. the exchange counts no more rows than came;
 * 3. nothing can be missing between: the rows are newest first, with too many different times for chance,
 *    on an exchange that was seen to use this order. Otherwise it is `orderUnproven`, and may be whole.
 */
export function judgeTail({ page, known, isNewestFirst }: TailPage): TailVerdict {
  const { rows, sent, count, ignoredFilters } = page;
  const shown = new Set(rows.map(({ id }) => id));
  const missing = known.filter((record) => !shown.has(identityOf(record)));
  if (known.length > 0 && missing.length === known.length) return 'notReached';
  if (known.length === 0 || missing.length > 0) return { unproven: 'edgesUnproven' };
  if (ignoredFilters.length > 0) return { unproven: 'filterIgnored' };
  if (count !== null && count > sent) return { unproven: 'countDisagrees' };
  const isOrdered = isNewestFirst && isConclusive(rows) && orderOf(rows) === 'newestFirst';
  return isOrdered ? 'proven' : { unproven: 'orderUnproven' };
}
