import type { QueryPairs } from '../auth/signRequest.ts';
import { openEnd, openStart, type Interval } from '../../base/interval.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { Operation } from '../../api/operations.ts';
import type { ApiConventions } from './apiConventions.ts';
import { encodePeriod } from './dates.ts';

/**
 * By parameter: text, several texts, a page counted from 0, or a moment in epoch milliseconds. `dateTo` is the first
 * moment that is no longer asked for.
 */
type ParameterInput = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A query as it is sent, and the widest period that its dates can mean. */
type EncodedQuery = {
  readonly pairs: QueryPairs;
  readonly widestPeriod: Interval;
};

/**
 * Writes an operation's parameters in the exchange's conventions; absent and empty values are left out.
 * Dates ask for every row of the period whichever way the exchange takes its ends, seldom for more.
 */
export function writeQuery(
  operation: Operation,
  values: ParameterInput,
  conventions: ApiConventions,
  zone: TimeZone,
): EncodedQuery {
  const { parameters, widestPeriod } = encodePeriod(periodIn(values), conventions, zone);
  return { pairs: pairsOf(operation, values, parameters, conventions), widestPeriod };
}

function pairsOf(
  operation: Operation,
  given: ParameterInput,
  dates: ParameterInput,
  conventions: ApiConventions,
): QueryPairs {
  return Object.entries(operation.parameters).flatMap(([name, { kind }]) => {
    const value = kind === 'date' ? dates[name] : given[name];
    if (value === undefined || value === '') return [];
    if (typeof value === 'string') return [[name, value] as const];
    if (typeof value !== 'number') return encodeList(name, value, conventions);
    return [[name, String(kind === 'page' ? value + conventions.firstPage : value)] as const];
  });
}

/** The period that a query asks for; an operation without one has none. */
function periodIn(values: object): Interval {
  const { dateFrom, dateTo } = values as { dateFrom?: number; dateTo?: number };
  return { from: dateFrom ?? openStart, to: dateTo ?? openEnd };
}

function encodeList(
  name: string,
  values: readonly string[],
  conventions: ApiConventions,
): QueryPairs {
  if (values.length === 0) return [];
  if (conventions.lists === 'comma') return [[name, values.join(',')]];
  const written = conventions.lists === 'brackets' ? `${name}[]` : name;
  return values.map((value) => [written, value] as const);
}
