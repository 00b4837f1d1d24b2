import { HttpError } from '../../../src/practice/http/jsonResponse.ts';
import { readDate, type Named } from './dates.ts';
import type { Reading } from './reading.ts';
import type { Row } from './rows.ts';

const dayMs = 86_400_000;
const microsecondMs = 0.001;

/** Includes both ends; epoch milliseconds. */
export type Period = { readonly first: number; readonly last: number };

/** The period that the query asks for. Throws a `HttpError`. */
export function readPeriod(query: URLSearchParams, reading: Reading): Period {
  const from = readEnd('dateFrom', query, reading);
  const to = readEnd('dateTo', query, reading);
  const period = { first: from?.at ?? -Infinity, last: lastOf(to, reading) };
  const { maxRangeDays } = reading;
  if (from && from.at < (reading.earliestFrom ?? -Infinity))
    throw new HttpError(400, 'Older records are not available.');
  const isAsked = from !== undefined || to !== undefined;
  if (isAsked && maxRangeDays !== null && period.last - period.first > maxRangeDays * dayMs)
    throw new HttpError(400, `The period must not be longer than ${maxRangeDays} days.`);
  return period;
}

function readEnd(name: string, query: URLSearchParams, reading: Reading): Named | undefined {
  const text = query.get(name);
  if (text === null || reading.ignores.includes(name)) return undefined;
  const named = readDate(text, reading);
  if (!named && reading.otherDates === 'refused')
    throw new HttpError(400, `The parameter ${name} is no date that is understood here.`);
  return named;
}

function lastOf(to: Named | undefined, { dateTo }: Reading): number {
  if (!to) return Infinity;
  if (dateTo === 'exclusive') return to.at - microsecondMs;
  return to.forMs > 1000 ? to.at + to.forMs - 1 : to.at;
}

/** Whether a row matches the filters other than the dates; undefined if there are none. */
export function readFilter(
  query: URLSearchParams,
  reading: Reading,
): ((row: Row) => boolean) | undefined {
  const looked = (name: string) => !reading.ignores.includes(name);
  const fields = ['symbol', 'side', 'type', 'asset'].flatMap((name) => {
    const value = query.get(name);
    return value !== null && looked(name) ? [[name, JSON.stringify(value)] as const] : [];
  });
  const statuses = looked('statuses') ? readStatuses(query, reading) : undefined;
  if (fields.length === 0 && !statuses) return undefined;
  return ({ json }) =>
    fields.every(([name, value]) => json[name] === value) &&
    (statuses?.some((status) => json.status === JSON.stringify(status)) ?? true);
}

function readStatuses(
  query: URLSearchParams,
  { lists, otherLists }: Reading,
): string[] | undefined {
  const [bracketed, plain] = [query.getAll('statuses[]'), query.getAll('statuses')];
  const sent = [...bracketed, ...plain];
  if (sent.length === 0) return undefined;
  const values = sent.flatMap((value) => value.split(','));
  const isRead =
    (bracketed.length === 0 || lists.includes('brackets')) &&
    (plain.length === 0 || lists.includes('repeat') || lists.includes('comma')) &&
    (plain.length < 2 || lists.includes('repeat')) &&
    (values.length === sent.length || lists.includes('comma'));
  if (isRead) return values;
  if (otherLists === 'refused')
    throw new HttpError(400, 'The parameter statuses is no list that is understood here.');
  return otherLists === 'ignored' ? undefined : values.slice(-1);
}
