import * as v from 'valibot';
import { l10n } from 'vscode';
import {
  isFreeHeader,
  isFreeParameter,
  templateProblem,
  type TemplatePlace,
} from '../../exchange/auth/templates.ts';
import { localized } from '../text/messageText.ts';

/*
 * Fields of the setting `marginDesk.profiles`. Each message says how to fix the field and never shows the
 * value: it could be a key in the wrong place. Messages are functions, because nothing is translated at
 * import time.
 */

type Advice = () => string;

const objectRequiredAdvice: Advice = () => l10n.t('write an object in braces.');
export const baseUrlAdvice: Advice = () =>
  l10n.t('write the exchange’s address as "https://host" or "https://host/prefix".');
export const booleanAdvice: Advice = () => l10n.t('write true or false.');

export function enumField<const Values extends readonly (string | number)[]>(values: Values) {
  const all = values.map((value) => JSON.stringify(value));
  return v.picklist(values, () =>
    l10n.t('write {0} or {1}.', all.slice(0, -1).join(', '), all.at(-1) ?? ''),
  );
}

export function objectAdvice({ expected, received, input }: v.StrictObjectIssue): string {
  if (expected === 'never') return unknownFieldAdvice(String(input));
  return received === 'undefined' ? baseUrlAdvice() : objectRequiredAdvice();
}

function unknownFieldAdvice(field: string): string {
  return /key|secret|token|passw|passphrase/i.test(field)
    ? l10n.t('keys do not belong in settings: remove it and run “Margin Desk: Set Credentials”.')
    : l10n.t('there is no such field: remove it or correct its name.');
}

/** Arrays are objects in JavaScript and in valibot. */
export function notArray() {
  return v.pipe(
    v.unknown(),
    v.check((value) => !Array.isArray(value), objectRequiredAdvice),
  );
}

export function headerNameField(defaultName: string) {
  return v.pipe(
    v.string(() => l10n.t('write the name of a header in quotes.')),
    v.check(isFreeHeader, () =>
      l10n.t('this header cannot carry a key: write another, such as "{0}".', defaultName),
    ),
  );
}

export function parameterNameField(defaultName: string) {
  return v.pipe(
    v.string(() => l10n.t('write the name of a parameter in quotes.')),
    v.check(isFreeParameter, () =>
      l10n.t(
        'the API uses this parameter name, or it is invalid: write another, such as "{0}".',
        defaultName,
      ),
    ),
  );
}

/** A template: only the names in braces that are allowed in this place. */
export function templateField(place: TemplatePlace) {
  return v.pipe(
    v.string(() => l10n.t('write a text in quotes.')),
    v.check(
      (text) => templateProblem(place, text) === undefined,
      ({ input }) => localized(templateProblem(place, input) ?? ''),
    ),
  );
}

export function durationMsField(
  from: number,
  to: number,
  advice: Advice = () => l10n.t('write whole milliseconds from {0} to {1}.', from, to),
) {
  return v.pipe(
    v.number(advice),
    v.integer(advice),
    v.minValue(from, advice),
    v.maxValue(to, advice),
  );
}
