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
 * An exchange may read a form but cut it to seconds, or take it in another zone: then rows at the end
 * of the range are missing as if it were exclusive. A range that ends one step later has them all
 * where neither is so. `epochS` is not asked again: whether it means the beginning of the second or
 * the whole does not matter, because it is written outward.
 */
async function tryForm(
  inquiry: Inquiry,
  form: Dialect['dates'],
  range: TrialRange,
  beginning: Beginning,
): Promise<RangeSeen | undefined> {
  const { first, last } = range;
  const end = await seenIn(inquiry, form, range, last?.from ?? first.to, beginning);
  if (end !== 'endOut' || !last) return end;
  if (form === 'epochS') return 'endNotSeen';
  const longer = {
    first: { from: first.from, to: last.to },
    last: { from: last.to, to: last.to + (last.to - last.from) },
  };
  return (await seenIn(inquiry, form, longer, last.to, beginning)) && end;
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
