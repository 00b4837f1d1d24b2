import * as v from 'valibot';
import { canCarryKey, isFreeParameter } from '../../exchange/auth/names.ts';
import { templateProblem, type TemplatePlace } from '../../exchange/auth/templates.ts';

/*
 * The parts of what the setting `marginDesk.profiles` may hold. Each message is the cure for its
 * field, and tells nothing of the value: it may be a key in the wrong place.
 */

const bracesCure = 'write an object in braces.';
export const addressCure =
  'write the exchange’s address as "https://host" or "https://host/prefix".';

export function choice<const Values extends readonly (string | number)[]>(values: Values) {
  const all = values.map((value) => JSON.stringify(value));
  return v.picklist(values, `write ${all.slice(0, -1).join(', ')} or ${all.at(-1)}.`);
}

export function objectCure({ expected, received, input }: v.StrictObjectIssue): string {
  if (expected === 'never') return unknownFieldCure(String(input));
  return received === 'undefined' ? addressCure : bracesCure;
}

function unknownFieldCure(field: string): string {
  return /key|secret|token|passw|passphrase/i.test(field)
    ? 'keys do not belong in settings: remove it and run “Margin Desk: Set Credentials”.'
    : 'there is no such field: remove it or correct its name.';
}

/** A list is an object too, of JavaScript's and of valibot's. */
export function noList() {
  return v.pipe(
    v.unknown(),
    v.check((value) => !Array.isArray(value), bracesCure),
  );
}

export function header(usual: string) {
  return v.pipe(
    v.string('write the name of a header in quotes.'),
    v.check(canCarryKey, `this header cannot carry a key: write another, such as "${usual}".`),
  );
}

export function parameter(usual: string) {
  const cure = `no parameter beside those of the interface can have this name: write another, such as "${usual}".`;
  return v.pipe(
    v.string('write the name of a parameter in quotes.'),
    v.check(isFreeParameter, cure),
  );
}

/** A text whose names in braces are those that its place allows; an unknown one is named. */
export function template(place: TemplatePlace) {
  return v.pipe(
    v.string('write a text in quotes.'),
    v.check(
      (text) => templateProblem(place, text) === undefined,
      ({ input }) => templateProblem(place, input) ?? '',
    ),
  );
}

export function wholeMs(from: number, to: number, otherwise: string) {
  const cure = `write whole milliseconds from ${from} to ${to}${otherwise}.`;
  return v.pipe(v.number(cure), v.integer(cure), v.minValue(from, cure), v.maxValue(to, cure));
}
