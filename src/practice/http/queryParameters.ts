import { cleanText } from '../../base/cleanText.ts';
import { dayMs } from '../../base/time.ts';
import { HttpError } from './jsonResponse.ts';
import { authenticationParameters } from './requestAuthentication.ts';

/** How a query parameter is parsed. */
type ParameterRule<Value> = {
  readonly isRequired?: boolean;
  /** Follows "must be" in the error message. */
  readonly description: string;
  /** The value, or undefined when the text is malformed. Only a list accepts more than one text. */
  readonly parse: (texts: readonly string[]) => Value | undefined;
};

export type ParameterRules = Readonly<Record<string, ParameterRule<unknown>>>;

type ValueOf<Rule> = Rule extends ParameterRule<infer Value> ? Value : never;

export type ParameterValues<Rules extends ParameterRules> = {
  readonly [Name in keyof Rules]:
    | ValueOf<Rules[Name]>
    | (Rules[Name] extends { isRequired: true } ? never : undefined);
};

export const text = rule(
  'a single text',
  one((value) => value),
);

export const wholeNumber = (low: number) =>
  rule(
    `a whole number from ${low}`,
    one((value) => (/^\d{1,15}$/.test(value) && Number(value) >= low ? Number(value) : undefined)),
  );

const dateDescription = 'a date: epoch milliseconds, an ISO 8601 instant, or a day as YYYY-MM-DD';

/** The start and the end of a period. A day starts with its first and ends with its last millisecond. */
export const periodStart = rule(dateDescription, one(startOfDate));
export const periodEnd = rule(dateDescription, one(endOfDate));

export function choice<Named extends string>(names: readonly Named[]) {
  return rule(
    `one of ${names.join(', ')}`,
    one((value) => names.find((name) => name === value)),
  );
}

/** Several of `names`: the parameter repeated, or its values separated by commas. */
export function choices<Named extends string>(names: readonly Named[]) {
  return rule(`a list of ${names.join(', ')}`, (texts) => {
    const values = texts.flatMap((value) => value.split(','));
    const known = names.filter((name) => values.includes(name));
    return values.every((value) => names.some((name) => name === value)) ? known : undefined;
  });
}

export function required<Rule extends ParameterRule<unknown>>(of: Rule) {
  return { ...of, isRequired: true } as const;
}

/** Parses a query. Throws an `HttpError` with status 400 that names the invalid parameter. */
export function parseParameters<Rules extends ParameterRules>(
  query: URLSearchParams,
  rules: Rules,
): ParameterValues<Rules> {
  const known = [...Object.keys(rules), ...authenticationParameters];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new HttpError(400, `The parameter ${cleanText(unknown, 60)} is unknown.`);
  }
  const values = Object.entries(rules).map(([name, own]) => [name, parseOne(query, name, own)]);
  return Object.fromEntries(values) as ParameterValues<Rules>;
}

function parseOne(query: URLSearchParams, name: string, own: ParameterRule<unknown>): unknown {
  const texts = query.getAll(name);
  if (texts.length === 0) {
    if (own.isRequired) throw new HttpError(400, `The parameter ${name} is required.`);
    return undefined;
  }
  const value = own.parse(texts);
  if (value === undefined)
    throw new HttpError(400, `The parameter ${name} must be ${own.description}.`);
  return value;
}

function rule<Value>(
  description: string,
  parse: ParameterRule<Value>['parse'],
): ParameterRule<Value> {
  return { description, parse };
}

function one<Value>(parse: (value: string) => Value | undefined): ParameterRule<Value>['parse'] {
  return ([value, ...more]) => (value === undefined || more.length > 0 ? undefined : parse(value));
}

const day = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The first millisecond of a date. Epoch milliseconds and an ISO 8601 instant are one moment; a date
 * without a time is a UTC day. Undefined when malformed.
 */
export function startOfDate(date: string): number | undefined {
  if (/^\d{1,15}$/.test(date)) return Number(date);
  const hasKnownFormat = day.test(date) || instant.test(date);
  return hasKnownFormat && existsInCalendar(date.slice(0, 10)) ? timeOf(date) : undefined;
}

/** The last millisecond of a date. */
export function endOfDate(date: string): number | undefined {
  const first = startOfDate(date);
  return first !== undefined && day.test(date) ? first + dayMs - 1 : first;
}

/** False for a day like 2026-02-31, which `Date.parse` accepts. */
function existsInCalendar(date: string): boolean {
  const time = timeOf(date);
  return time !== undefined && new Date(time).toISOString().startsWith(date);
}

function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
