import assert from 'node:assert/strict';
import type { HistoryRecord } from '../../../../src/exchange/history/records.ts';
import { judgeTail, type TailPage } from '../../../../src/ledger/sync/tailReader.ts';
import { TailQuestions } from '../../../../src/ledger/sync/tailQuestion.ts';
import { always, openEnd } from '../../../../src/base/interval.ts';
import { dayMs } from '../../../../src/base/time.ts';
import { pageOf, recordRow } from '../../../../src/exchange/history/page.ts';
import { anOrder } from '../../../support/builders.ts';

/** The order with this number; its time is in seconds. */
const order = (number: number): HistoryRecord =>
  anOrder({ orderId: String(number), time: String(1_700_000_000_000 + number * 1000) });
/** From the newest to the oldest. */
const orders = (newest: number, oldest: number): HistoryRecord[] =>
  Array.from({ length: newest - oldest + 1 }, (_none, index) => order(newest - index));

function page(items: HistoryRecord[], fields: Partial<TailPage['page']> = {}): TailPage['page'] {
  const rows = items.map((item) => recordRow(item));
  return { ...pageOf(always, rows), count: items.length, ...fields };
}

/** Twelve rows, of which ten were known. */
const usual: TailPage = {
  page: page(orders(12, 1)),
  known: orders(10, 1),
  isNewestFirst: true,
};

/** Twelve rows, of which some came or are counted in another way. */
const twelve = (fields: Partial<TailPage['page']>) => ({ page: page(orders(12, 1), fields) });
const mixed = [...orders(6, 1), ...orders(12, 7)];

describe('one page of the newest rows', () => {
  for (const [what, fields, verdict] of [
    ['reaches known rows, newest first', {}, 'proven'],
    ['has no count', twelve({ count: null }), 'proven'],
    ['counts one that cannot be read', twelve({ count: 13, sent: 13 }), 'proven'],
    ['meets no known row', { known: [] }, 'edgesUnproven'],
    ['lacks all known rows', { page: page(orders(60, 11)) }, 'notReached'],
    ['is empty', { page: page([]) }, 'notReached'],
    ['lacks the oldest known row', { page: page(orders(12, 2)) }, 'edgesUnproven'],
    ['lacks a known row', { page: page(orders(12, 1).toSpliced(5, 1)) }, 'edgesUnproven'],
    ['has fewer rows than it counts', twelve({ count: 13 }), 'countDisagrees'],
    [
      'ignores a filter',
      twelve({ ignoredFilters: [{ parameter: 'a', rows: 1 }] }),
      'filterIgnored',
    ],
    ['is of an exchange without order', { isNewestFirst: false }, 'orderUnproven'],
    ['is in another order', { page: page(mixed) }, 'orderUnproven'],
    ['is too short', { page: page(orders(7, 1)), known: orders(3, 1) }, 'orderUnproven'],
  ] as const)
    it(`is ${verdict} if it ${what}`, () => {
      const found = judgeTail({ ...usual, ...fields });
      assert.equal(typeof found === 'string' ? found : found.unproven, verdict);
    });
});

describe('how far a page of the newest rows reaches', () => {
  const now = 1_800_000_000_000;
  /** A row so many days after the start of a question. */
  const after = (days: number) =>
    pageOf(always, [recordRow(anOrder({ time: String(now + days * dayMs) }))]);
  const question = { period: { from: now, to: openEnd }, known: [] };
  const reachOf = (questions: TailQuestions): number =>
    [1, 2, 5, 9].findLast((days) => questions.reaches(question, now + days * dayMs)) ?? 0;

  it('is a day, or as far as a row was, of the same kind of question', () => {
    const questions = new TailQuestions();
    assert.ok(!questions.reaches(question, now + dayMs + 1));
    for (const days of [5, 2]) questions.note(question, after(days));
    assert.equal(reachOf(questions), 5);
    questions.noteRefusal();
    assert.equal(reachOf(questions), 1);
    questions.note(question, after(2));
    questions.noteRefusal();
    assert.equal(reachOf(questions), 1);
  });
});
