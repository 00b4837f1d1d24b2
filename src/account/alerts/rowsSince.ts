import type { HistoryPage } from '../../exchange/dialect/historyPage.ts';
import { countIn, timeOf } from '../../exchange/histories.ts';

/** The rows of a history that tell something; not sure where others may have been missed. */
export type RowsSince<Item> = { readonly rows: readonly Item[]; readonly isSure: boolean };

/**
 * Reads a page of the rows since a moment, and takes those that tell. Where none does and the
 * exchange may have taken the filters for something else, reads one more without dates, which is sure
 * where its rows show by their own times that none since then is missing.
 */
export async function rowsSince<Item extends object>(
  sinceMs: number,
  tells: (item: Item) => boolean,
  read: (dateFrom: number | undefined) => Promise<HistoryPage<Item>>,
): Promise<RowsSince<Item>> {
  const dated = await read(sinceMs);
  const told = dated.value.content.filter(tells);
  if (told.length > 0 || isHeeded(dated)) return { rows: told, isSure: isReadable(dated) };
  const page = await read(undefined);
  const rows = page.value.content.filter(tells);
  return { rows, isSure: isReadable(page) && (isWhole(page) || reachesBack(page, sinceMs)) };
}

function isReadable({ badRecords }: HistoryPage<unknown>): boolean {
  return badRecords.length === 0;
}

function isHeeded({ unmatched, undecided }: HistoryPage<unknown>): boolean {
  return unmatched.length + undecided.length === 0;
}

/** No other page follows; one that names no total and has no rows is the end as well. */
function isWhole({ value: { content, totalElements }, outside }: HistoryPage<unknown>): boolean {
  const total = countIn(totalElements) ?? (content.length === 0 ? 0 : Infinity);
  return outside === 0 && content.length >= total;
}

/** The newest rows come first, down to one that is older: all since then are on the page. */
function reachesBack<Item extends object>({ value }: HistoryPage<Item>, sinceMs: number): boolean {
  const times = value.content.map((item) => timeOf(item) ?? NaN);
  const fall = times.every((time, index) => time <= (times[index - 1] ?? Infinity));
  return fall && (times.at(-1) ?? Infinity) < sinceMs;
}
