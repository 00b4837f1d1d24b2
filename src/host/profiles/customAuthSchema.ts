import * as v from 'valibot';
import { l10n } from 'vscode';
import { hourMs } from '../../base/time.ts';
import {
  algorithms,
  defaultSigningSpec,
  recvWindowParam,
  secretEncodings,
  signatureEncodings,
  timestampForms,
} from '../../exchange/auth/scheme.ts';
import { isFreeHeader, isFreeParameter } from '../../exchange/auth/templates.ts';
import {
  enumField,
  booleanAdvice,
  objectAdvice,
  templateField,
  durationMsField,
} from './schemaFields.ts';

const defaults = defaultSigningSpec;

const headerName = v.pipe(
  v.string(),
  v.check(isFreeHeader, () =>
    l10n.t('a header of this name cannot be sent: write another, such as "X-API-KEY".'),
  ),
);
const headerText = v.pipe(
  templateField('header'),
  v.check(
    (text) => /^[\x20-\x7e\xa0-\xff]*$/.test(text),
    () => l10n.t('a header cannot contain a line break or this character: remove it.'),
  ),
);
const headers = v.pipe(
  v.record(headerName, headerText, () => l10n.t('write an object of headers and their texts.')),
  v.check(
    (written) => areDistinctHeaders(Object.keys(written)),
    () => l10n.t('two headers have the same name: remove one.'),
  ),
);

const parameterName = v.pipe(
  v.string(),
  v.check(
    (name) => isFreeParameter(name) || name === recvWindowParam,
    () => l10n.t('the API uses this parameter name, or it is invalid: write another.'),
  ),
);
const query = v.record(parameterName, templateField('parameter'), () =>
  l10n.t('write an object of parameters and their texts.'),
);

/** `auth.custom` of a profile: a whole scheme as data. */
export const customAuthSchema = v.pipe(
  v.strictObject(
    {
      timestamp: v.optional(enumField(timestampForms), defaults.timestamp),
      aheadMs: v.optional(durationMsField(0, hourMs), defaults.aheadMs),
      sortQuery: v.optional(v.boolean(booleanAdvice), defaults.sortQuery),
      algorithm: v.optional(enumField(algorithms), defaults.algorithm),
      secretEncoding: v.optional(enumField(secretEncodings), defaults.secretEncoding),
      stringToSign: v.optional(templateField('stringToSign'), defaults.stringToSign),
      encoding: v.optional(enumField(signatureEncodings), defaults.encoding),
      headers: v.optional(headers, defaults.headers),
      query: v.optional(query, defaults.query),
    },
    objectAdvice,
  ),
  v.forward(
    v.check(
      (written) => Object.keys({ ...written.headers, ...written.query }).length > 0,
      () => l10n.t('nothing would be sent: add a header here or a parameter in query.'),
    ),
    ['headers'],
  ),
);

/** Header names are case-insensitive. */
export function areDistinctHeaders(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}
