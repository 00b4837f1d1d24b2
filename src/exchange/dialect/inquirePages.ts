import { InquiryEnd, type Inquiry } from './inquiry.ts';
import { pageBegins, repeats, sizeSeen } from './judge.ts';
import type { SeenPage, SeenRow } from './seenPage.ts';

/** The rows that a history begins with, and how they were asked. */
export type Beginning = {
  readonly rows: readonly SeenRow[];
  readonly seen: SeenPage;
  /** As it stood on the wire. */
  readonly page: number;
  readonly size: number;
};

const sizes = [500, 100] as const;

/**
 * Asks for what may be the first page until there are rows, in a smaller size where the larger one is
 * refused; undefined for an empty history. Rows on page 1 and none on page 0 tell which is the first.
 */
export async function inquireBeginning(inquiry: Inquiry): Promise<Beginning | undefined> {
  const isOpen = inquiry.settings.firstPage === 'auto';
  for (const size of sizes) {
    let [wasRefused, wasEmpty] = [false, false];
    for (const page of isOpen ? [0, 1] : [inquiry.firstPage]) {
      const seen = await inquiry.ask(page, size);
      wasRefused ||= !seen;
      wasEmpty ||= seen?.rows.length === 0;
      if (!seen || seen.rows.length === 0) continue;
      if (page === 1) inquiry.conclude('firstPage', 1, wasRefused ? 'zeroRefused' : 'zeroEmpty');
      if (size !== sizes[0]) inquiry.conclude('maxPageSize', size, 'largePagesRefused');
      return { rows: seen.rows, seen, page, size };
    }
    if (wasEmpty) return undefined;
  }
  throw new InquiryEnd('unreadable');
}

/** What the first rows tell of a cap of pages. */
export function judgeSize(inquiry: Inquiry, { size, seen }: Beginning): void {
  if (inquiry.isDecided('maxPageSize')) return;
  const told = sizeSeen(size, seen);
  if (told?.kind === 'cap') inquiry.conclude('maxPageSize', told.size, 'smallerPages');
  else if (told?.kind === 'whole') inquiry.conclude('maxPageSize', null, 'wholePage');
  else inquiry.leaveOpen('sizeDoesNotTell', 'maxPageSize');
}

/**
 * Fewer rows than asked, and perhaps more behind them: the next page of that size tells, if there is
 * budget. One new row may have come in meanwhile.
 */
export async function inquireSize(inquiry: Inquiry, beginning: Beginning): Promise<void> {
  const told = sizeSeen(beginning.size, beginning.seen);
  if (told?.kind !== 'perhaps' || !inquiry.hasBudget) return;
  if (inquiry.isDecided('maxPageSize') || !inquiry.isDecided('firstPage')) return;
  inquiry.raise();
  const next = await inquiry.ask(inquiry.firstPage + 1, told.size);
  const isKnown = ({ id }: SeenRow) => beginning.rows.some((row) => row.id === id);
  const more = next?.rows.filter((row) => !isKnown(row)) ?? [];
  if (more.length > 1) inquiry.conclude('maxPageSize', told.size, 'smallerPages');
}

/** A row may come in or leave between two requests: it moves no page of so many by half. */
const fewestToCompare = 5;

/** Where page 2 begins among the known rows, in pages of a third of them; else whole pages are compared. */
export async function inquireFirstPage(inquiry: Inquiry, beginning: Beginning): Promise<void> {
  if (inquiry.isDecided('firstPage')) return;
  const { rows } = beginning;
  const third = Math.floor(rows.length / 3);
  const pageTwo = third >= fewestToCompare ? await inquiry.ask(2, third) : undefined;
  const begins = pageTwo && pageBegins(rows, third, pageTwo.rows);
  if (begins === 2) inquiry.conclude('firstPage', 0, 'pagesFollow');
  else if (begins === 1) inquiry.conclude('firstPage', 1, 'zeroIsFirstAgain');
  else if (begins === 0) inquiry.leaveOpen('pageNotHeeded', 'firstPage');
  else await compareWholePages(inquiry, beginning);
}

/** Page 1 has the rows of page 0, others, or none: the last two only where pages are counted from 0. */
async function compareWholePages(inquiry: Inquiry, { rows, size }: Beginning): Promise<void> {
  const next = await inquiry.ask(1, size);
  const isAgain = repeats(rows, next?.rows ?? []);
  if (isAgain === undefined) inquiry.leaveOpen('tooFewTimes', 'firstPage');
  if (isAgain === false) inquiry.conclude('firstPage', 0, 'pagesFollow');
  if (!isAgain) return;
  const afterNext = await inquiry.ask(2, size);
  if (afterNext && repeats(rows, afterNext.rows)) inquiry.leaveOpen('pageNotHeeded', 'firstPage');
  else inquiry.conclude('firstPage', 1, 'zeroIsFirstAgain');
}
