import { openEnd, type Interval } from '../../base/interval.ts';
import { dayMs, earliestMs } from '../../base/time.ts';
import type { HistoryRecord } from '../../exchange/history/records.ts';
import type { HistoryPage } from '../../exchange/history/page.ts';
import { maxTruncationMs } from '../../exchange/history/walk/rules.ts';
import { questionStart, showsOrder, type TailStart } from './tail.ts';

export type Question = {
  readonly period: Interval;
  /** Rows that the page must repeat. */
  readonly known: readonly HistoryRecord[];
};

/** Exchanges that answer only a part of a question answer a day of it at least. */
const leastReachMs = dayMs;

/**
 * The questions for the newest rows of one history. An exchange may answer only some days from the start of a
 * question, with an end or without one, and does not say so: a page proves no time further from its start than
 * a row of an answer was.
 */
export class TailQuestions {
  /** The furthest that a row was from the start of its question. */
  private reachMs: number = leastReachMs;
  /** Up to this length, questions were asked in vain for their reach alone. */
  private testedMs = 0;
  /** Whether questions have no end. Else their end lies ahead, which some exchanges refuse. */
  private isEndOpen = false;
  /** The most rows that came at once. */
  largestPage = 0;
  /** How many requests there were. */
  reads = 0;

  /**
   * The end lies ahead: an exchange that reads ends coarsely must not cut off the newest rows. A question
   * cannot repeat known rows further back than it reaches.
   */
  questionFor(tail: TailStart, asOf: number, longestMs: number): Question {
    const to = asOf + Math.min(maxTruncationMs, Math.floor(longestMs / 2));
    const earliest = to - longestMs;
    const since = (earliestStart: number) =>
      tail.known.filter((record) => questionStart({ ...tail, known: [record] }) >= earliestStart);
    const inReach = since(Math.max(earliest, asOf - this.reachMs));
    const known = inReach.length > 0 ? inReach : since(earliest);
    const from = Math.max(questionStart({ ...tail, known }), earliest);
    return { period: { from, to: this.isEndOpen ? openEnd : to }, known };
  }

  /**
   * A question from twice as far back: its newest known row shows how far a question reaches. Undefined if that
   * is known, or not needed. An exchange that refuses longer questions than its longest does not cut that one.
   */
  testFor(tail: TailStart, asOf: number, longestMs: number): Question | undefined {
    const neededMs = asOf - questionStart(tail);
    if (longestMs < Infinity) this.reachMs = Math.max(this.reachMs, longestMs);
    const { period, known } = this.questionFor(tail, asOf, longestMs);
    const isShort = this.reaches({ period, known }, asOf) && showsOrder(known);
    if (isShort || neededMs <= Math.max(this.reachMs, this.testedMs)) return undefined;
    this.testedMs = 2 * neededMs;
    return { period: { ...period, from: Math.max(earliestMs, asOf - this.testedMs) }, known: [] };
  }

  note({ period: { from } }: Question, { rows, sent }: HistoryPage): void {
    this.largestPage = Math.max(this.largestPage, sent);
    this.reachMs = Math.max(this.reachMs, ...rows.map(({ time }) => time - from));
    if (this.testedMs <= 2 * this.reachMs) this.testedMs = 0;
  }

  /** The next question has the other kind of end. */
  noteRefusal(): void {
    [this.isEndOpen, this.reachMs, this.testedMs] = [!this.isEndOpen, leastReachMs, 0];
  }

  /** Whether a page proves the time up to a moment. */
  reaches({ period: { from } }: Question, time: number): boolean {
    return from + this.reachMs >= time;
  }
}
