import * as v from 'valibot';
import { l10n } from 'vscode';
import { canCarryKey, isFreeParameter } from '../../exchange/auth/names.ts';
import { templateProblem, type TemplatePlace } from '../../exchange/auth/templates.ts';
import { inWords } from '../words.ts';

/*
 * The parts of what the setting `marginDesk.profiles` may hold. Each message is the cure for its
 * field, and tells nothing of the value: it may be a key in the wrong place. It is a function, as the
 * language is not known when a module is read.
 */

type Cure = () => string;

const bracesCure: Cure = () => l10n.t('write an object in braces.');
export const addressCure: Cure = () =>
  l10n.t('write the exchange’s address as "https://host" or "https://host/prefix".');
export const flagCure: Cure = () => l10n.t('write true or false.');

export function choice<const Values extends readonly (string | number)[]>(values: Values) {
  const all = values.map((value) => JSON.stringify(value));
  return v.picklist(values, () =>
    l10n.t('write {0} or {1}.', all.slice(0, -1).join(', '), all.at(-1) ?? ''),
  );
}

export function objectCure({ expected, received, input }: v.StrictObjectIssue): string {
  if (expected === 'never') return unknownFieldCure(String(input));
  return received === 'undefined' ? addressCure() : bracesCure();
}

function unknownFieldCure(field: string): string {
  return /key|secret|token|passw|passphrase/i.test(field)
    ? l10n.t('keys do not belong in settings: remove it and run “Margin Desk: Set Credentials”.')
    : l10n.t('there is no such field: remove it or correct its name.');
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
    v.string(() => l10n.t('write the name of a header in quotes.')),
    v.check(canCarryKey, () =>
      l10n.t('this header cannot carry a key: write another, such as "{0}".', usual),
    ),
  );
}

export function parameter(usual: string) {
  return v.pipe(
    v.string(() => l10n.t('write the name of a parameter in quotes.')),
    v.check(isFreeParameter, () =>
      l10n.t(
        'no parameter beside those of the interface can have this name: write another, such as "{0}".',
        usual,
      ),
    ),
  );
}

/** A text whose names in braces are those that its place allows; an unknown one is named. */
export function template(place: TemplatePlace) {
  return v.pipe(
    v.string(() => l10n.t('write a text in quotes.')),
    v.check(
      (text) => templateProblem(place, text) === undefined,
      ({ input }) => inWords(templateProblem(place, input) ?? ''),
    ),
  );
}

export function wholeMs(
  from: number,
  to: number,
  cure: Cure = () => l10n.t('write whole milliseconds from {0} to {1}.', from, to),
) {
  return v.pipe(v.number(cure), v.integer(cure), v.minValue(from, cure), v.maxValue(to, cure));
}
