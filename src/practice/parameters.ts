import { cleanText } from '../base/cleanText.ts';
import { authenticationParameters } from './authentication.ts';
import { firstMomentOf, lastMomentOf } from './dates.ts';
import { Refusal } from './refusal.ts';

/** How one query parameter is read, and what it becomes: the table that a route has of its own. */
export type ParameterRule<Value> = {
  readonly isRequired?: boolean;
  /** What a value must be, to follow "must be" in the refusal. */
  readonly shape: string;
  /** The value, or undefined where the text is malformed. Only a list gets more than one text. */
  readonly read: (texts: readonly string[]) => Value | undefined;
};

export type ParameterRules = Readonly<Record<string, ParameterRule<unknown>>>;

type ValueOf<Rule> = Rule extends ParameterRule<infer Value> ? Value : never;

export type ParameterValues<Rules extends ParameterRules> = {
  readonly [Name in keyof Rules]:
    ValueOf<Rules[Name]> | (Rules[Name] extends { isRequired: true } ? never : undefined);
};

export const text = rule(
  'one text',
  one((value) => value),
);

export const wholeNumber = (low: number) =>
  rule(
    `one whole number from ${low}`,
    one((value) => (/^\d{1,15}$/.test(value) && Number(value) >= low ? Number(value) : undefined)),
  );

const dateShape = 'one date: epoch milliseconds, an ISO 8601 instant, or a day as YYYY-MM-DD';

/** The beginning of a period, and its end: a day is read to its first, and to its last, millisecond. */
export const periodStart = rule(dateShape, one(firstMomentOf));
export const periodEnd = rule(dateShape, one(lastMomentOf));

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

/** Reads a query by these rules; throws a `Refusal` with 400 that names the parameter at fault. */
export function readParameters<Rules extends ParameterRules>(
  query: URLSearchParams,
  rules: Rules,
): ParameterValues<Rules> {
  const unknown = [...query.keys()].find((name) => !isExpected(name, rules));
  if (unknown !== undefined) {
    throw new Refusal(400, `There is no parameter ${cleanText(unknown, 60)} here.`);
  }
  const values = Object.entries(rules).map(([name, own]) => [name, valueOf(query, name, own)]);
  return Object.fromEntries(values) as ParameterValues<Rules>;
}

function valueOf(query: URLSearchParams, name: string, own: ParameterRule<unknown>): unknown {
  const texts = query.getAll(name);
  if (texts.length === 0) {
    if (own.isRequired) throw new Refusal(400, `The parameter ${name} is required.`);
    return undefined;
  }
  const value = own.read(texts);
  if (value === undefined) throw new Refusal(400, `The parameter ${name} must be ${own.shape}.`);
  return value;
}

function isExpected(name: string, rules: ParameterRules): boolean {
  return Object.hasOwn(rules, name) || authenticationParameters.includes(name);
}

function rule<Value>(shape: string, read: ParameterRule<Value>['read']): ParameterRule<Value> {
  return { shape, read };
}

function one<Value>(read: (value: string) => Value | undefined): ParameterRule<Value>['read'] {
  return ([value, ...more]) => (value === undefined || more.length > 0 ? undefined : read(value));
}
