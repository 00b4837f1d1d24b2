import { stepOf } from './dates.ts';
import { defaultDialect, type Dialect } from './dialect.ts';
import type { Beginning } from './inquirePages.ts';
import type { Inquiry } from './inquiry.ts';
import { rangeSeen, trialRange, type RangeSeen, type TrialRange } from './judge.ts';

/** Seconds last: nothing in a record's times speaks for them. */
const forms = ['epochMs', 'isoInstant', 'isoLocal', 'isoDate', 'epochS'] as const;

/**
 * Tries the forms of dates on a range around known rows, until the rows prove that one was heeded;
 * its end tells whether `dateTo` belongs to a period.
 */
export async function inquireDates(inquiry: Inquiry, beginning: Beginning): Promise<void> {
  const { dates, dateTo } = inquiry.settings;
  if (dates !== 'auto' && dateTo !== 'auto') return;
  inquiry.raise();
  let hasTried = false;
  for (const form of dates === 'auto' ? forms : [dates]) {
    const range = trialRange(beginning.rows, (time) => stepOf(time, form, inquiry.zone));
    if (!range) continue;
    hasTried = true;
    const end = await tryForm(inquiry, form, range, beginning);
    if (!end) continue;
    inquiry.conclude('dates', form, 'datesHeeded');
    concludeEnd(inquiry, end);
    return;
  }
  inquiry.leaveOpen(hasTried ? 'datesNotHeeded' : 'tooFewTimes', 'dates', 'dateTo');
}

function concludeEnd(inquiry: Inquiry, end: RangeSeen): void {
  if (end === 'endIn') inquiry.conclude('dateTo', 'inclusive', end);
  else if (end === 'endOut') inquiry.conclude('dateTo', 'exclusive', end);
  else inquiry.leaveOpen(end, 'dateTo');
}

/**
 * A form of ISO 8601 that is read in another zone shifts the range: then the rows at its end are
 * missing as if it were exclusive. They are in a range that ends later, if nothing is shifted. Of a
 * second that is named only its beginning may be meant: that they are missing tells nothing.
 */
async function tryForm(
  inquiry: Inquiry,
  form: Dialect['dates'],
  range: TrialRange,
  beginning: Beginning,
): Promise<RangeSeen | undefined> {
  const { first, last } = range;
  const end = await seenIn(inquiry, form, range, last?.from ?? first.to, beginning);
  if (end !== 'endOut' || !last || form === 'epochMs') return end;
  if (form === 'epochS') return 'endNotSeen';
  const longer = { first, last: { from: last.from, to: last.to + (last.to - last.from) } };
  const again = await seenIn(inquiry, form, longer, last.to, beginning);
  return again === 'endIn' ? end : undefined;
}

/** Asks from the beginning of a range to a moment, which is what stands on the wire: `exclusive` says so. */
async function seenIn(
  inquiry: Inquiry,
  form: Dialect['dates'],
  range: TrialRange,
  dateTo: number,
  { rows, size, page }: Beginning,
): Promise<RangeSeen | undefined> {
  const dialect = { ...defaultDialect, dates: form, dateTo: 'exclusive' } as const;
  const first = inquiry.isDecided('firstPage') ? inquiry.firstPage : page;
  const seen = await inquiry.ask(first, size, { dateFrom: range.first.from, dateTo }, dialect);
  return seen && rangeSeen(rows, range, seen, size);
}
