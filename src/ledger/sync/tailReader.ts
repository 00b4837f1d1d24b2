import { missingRecords } from '../../exchange/badRecords.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { maxPeriodMs } from '../../exchange/conventions/rangeLimit.ts';
import { ExchangeError } from '../../exchange/exchangeError.ts';
import {
  historySource,
  readSourcePage,
  type HistorySourcePage,
} from '../../exchange/history/historySource.ts';
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
import { answerOf, isConclusive, orderOf } from '../../exchange/history/walk/answer.ts';
import { wholePage } from '../../exchange/history/walk/pages.ts';
import { depthIsProven } from '../../exchange/history/walk/rules.ts';
import { WalkRun } from '../../exchange/history/walk/walkRun.ts';
import { recordsChange } from '../coverage/coverageParts.ts';
import {
  ledgerHistories,
  type LedgerHistory,
  type LedgerWriter,
  type StoredCounts,
} from '../ledger.ts';
import { tailStartOf, type TailStart } from './tail.ts';
import { TailQuestions, type Question } from './tailQuestion.ts';
import { withBadRecords } from './walkRunner.ts';

export type TailReaderOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'serverNow' | 'renewTime'>;
  readonly writer: LedgerWriter;
};

/** Whether a person waits for a page. */
type TailPriority = 'interactive' | 'bulk';
type Waiting = { readonly priority: TailPriority; readonly signal: AbortSignal };

/** What a page brought. */
export type TailRead = {
  readonly items: readonly HistoryRecord[];
  /** Those that the ledger did not have. */
  readonly newItems: readonly HistoryRecord[];
  readonly counts: StoredCounts;
  /** How many requests it took. */
  readonly reads: number;
};

type Page = HistorySourcePage<HistoryRecord>;

/** `page` is undefined if it was refused, `result` if rows are left between the page and the known ones. */
type JudgedPage = {
  readonly tail: TailStart;
  readonly asOf: number;
  readonly page: Page | undefined;
  readonly result: ReturnType<typeof withBadRecords> | undefined;
};

/** What answers of a history showed. */
type KnownAnswers = {
  readonly questions: TailQuestions;
  /** The most rows that came at once. */
  largestPage: number;
  reads: number;
};

/** One read of the newest rows. */
type Read = {
  readonly history: LedgerHistory;
  readonly tail: TailStart;
  readonly asOf: number;
  readonly answers: KnownAnswers;
  readonly waiting: Waiting;
};

type AnsweredRead = Read & {
  readonly question: Question;
  readonly page: Page;
  /** The most rows that came at once before. */
  readonly largestPage: number;
};

/** A walk asks for the rows after a page, and for the page again. */
const mostWholeReads = 3;

/** Reads the newest page of a history into the ledger, and decides what it proves. */
export class TailReader {
  private readonly options: TailReaderOptions;
  private readonly known = new Map<LedgerHistory, KnownAnswers>();

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
    await client.renewTime({ priority, signal });
    const asOf = client.serverNow();
    const answers = this.known.get(history) ?? {
      questions: new TailQuestions(),
      largestPage: 0,
      reads: 0,
    };
    this.known.set(history, answers);
    answers.reads = 0;
    const read = { history, tail: found, asOf, answers, waiting: { priority, signal } };
    const { page, result } = await this.readAndJudge(read);
    const items = page?.items ?? [];
    const areStored = await writer.areStored(history, items);
    const newItems = items.filter((_record, index) => !areStored[index]);
    const counts = await this.store(history, { tail: found, asOf, page, result });
    return { items, newItems, counts, reads: answers.reads };
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

  private async readAndJudge(read: Read): Promise<Pick<JudgedPage, 'page' | 'result'>> {
    const { tail, asOf, answers } = read;
    const { questions } = answers;
    const longestMs = maxPeriodMs(this.options.client.conventions.current) ?? Infinity;
    const test = questions.testFor(tail, asOf, longestMs);
    if (test) await this.readPage(read, test);
    const question = questions.questionFor(tail, asOf, longestMs);
    const { largestPage } = answers;
    const page = await this.readPage(read, question);
    // The next question has the other kind of end.
    if (!page) questions.noteRefusal();
    const result = page && (await this.judge({ ...read, question, page, largestPage }));
    return { page, result };
  }

  /** Undefined if the exchange refuses the question: a walk asks otherwise. */
  private async readPage(
    { history, waiting, answers }: Read,
    question: Question,
  ): Promise<Page | undefined> {
    const { client } = this.options;
    const { period } = question;
    const request: HistoryRequest = {
      ...ledgerHistories[history],
      period,
      page: 0,
      size: this.size,
    };
    answers.reads += 1;
    try {
      const page = await readSourcePage(client, request, { ...waiting, isSingleAttempt: true });
      answers.questions.note(question, page.items);
      answers.largestPage = Math.max(answers.largestPage, sentIn(page));
      return page;
    } catch (error) {
      if (!(error instanceof ExchangeError) || error.failure.kind !== 'refused') throw error;
      return undefined;
    }
  }

  private get size(): number {
    return this.options.client.conventions.current.maxPageSize ?? defaultPageSize;
  }

  /** Undefined if the page does not reach the known rows. */
  private async judge(read: AnsweredRead): Promise<JudgedPage['result']> {
    const { conventions } = this.options.client;
    const { history, question, page } = read;
    const isNewestFirst =
      conventions.current.sort === 'newestFirst' && conventions.sourceOf('sort') !== 'assumed';
    const verdict = judgeTail({ page, known: question.known, isNewestFirst });
    if (verdict === 'notReached') return undefined;
    const { filters } = ledgerHistories[history];
    const period = { from: question.period.from };
    const [unproven] = conventions.unprovenConventions({ filters, period }, sentIn(page) === 0);
    const result = resultOf(await this.withWalkRules(verdict, read), unproven);
    return withBadRecords(result, page.badRecords.length);
  }

  /** An answer may end before now. Without an order, only what a walk would accept shows that a page is whole. */
  private async withWalkRules(verdict: Verdict, read: AnsweredRead): Promise<Verdict> {
    const { answers, question, asOf } = read;
    const isUnordered = verdict !== 'proven' && verdict.unproven === 'orderUnproven';
    if (verdict !== 'proven' && !isUnordered) return verdict;
    if (!answers.questions.reaches(question, asOf - commitDelayMs))
      return { unproven: 'edgesUnproven' };
    return isUnordered && (await this.isWhole(read)) ? 'proven' : verdict;
  }

  private async isWhole({ history, question, page, answers, largestPage, waiting }: AnsweredRead) {
    const { from, to } = question.period;
    if (to === undefined) return false;
    const { priority, signal } = waiting;
    const source = historySource(this.options.client, ledgerHistories[history], priority);
    const options = { range: { from, to }, size: this.size, maxReads: mostWholeReads };
    const run = new WalkRun(source, options, signal);
    run.set({ largestPage });
    const answer = answerOf({ from, to }, page, source, options.range);
    if (!depthIsProven(answer, largestPage)) return false;
    const whole = await wholePage(run, answer);
    answers.reads += run.state.reads;
    return whole !== undefined;
  }
}

function sentIn({ items, badRecords }: Page): number {
  return items.length + missingRecords(badRecords).length;
}

function resultOf(
  verdict: Verdict,
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

/** What one page was asked for: the newest rows, back to some that the ledger has. */
export type TailPage = {
  readonly page: HistorySourcePage<HistoryRecord>;
  /** The newest known rows before the tail: the page was asked for all of them again. */
  readonly known: readonly HistoryRecord[];
  /** Whether the exchange is known to give the newest rows first. */
  readonly isNewestFirst: boolean;
};

type Verdict = 'proven' | { readonly unproven: ReadIncompleteReason };
/** `notReached`: there are rows between the page and the known ones. */
type TailVerdict = Verdict | 'notReached';

/**
 * Whether one page has every row after the known ones. A walk proves more, with more requests. A page
 * is enough only if
 * 1. it reaches the known rows: there is an overlap, and the page repeats all of it;
 * 2. the exchange counts no more rows than came;
 * 3. nothing can be missing between: the rows are newest first, with too many different times for chance,
 *    on an exchange that was seen to use this order. Otherwise it is `orderUnproven`, and may be whole.
 */
export function judgeTail({ page, known, isNewestFirst }: TailPage): TailVerdict {
  const { items, totalElements, ignoredFilters } = page;
  const shown = new Set(items.map(identityOf));
  const missing = known.filter((record) => !shown.has(identityOf(record)));
  if (known.length > 0 && missing.length === known.length) return 'notReached';
  if (known.length === 0 || missing.length > 0) return { unproven: 'edgesUnproven' };
  if (ignoredFilters.length > 0) return { unproven: 'filterIgnored' };
  if (totalElements !== null && totalElements > sentIn(page)) return { unproven: 'countDisagrees' };
  const rows = items.map((item) => ({ time: timeOf(item) ?? Number.NaN }));
  const isOrdered = isNewestFirst && isConclusive(rows) && orderOf(rows) === 'newestFirst';
  return isOrdered ? 'proven' : { unproven: 'orderUnproven' };
}
