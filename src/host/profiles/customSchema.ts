import * as v from 'valibot';
import { l10n } from 'vscode';
import { canCarryKey, isFreeParameter } from '../../exchange/auth/names.ts';
import {
  algorithms,
  defaultRecipe,
  recvWindowParam,
  secretEncodings,
  signatureEncodings,
  timestampForms,
} from '../../exchange/auth/scheme.ts';
import { choice, flagCure, objectCure, template, wholeMs } from './schemaParts.ts';

const usual = defaultRecipe;

const headerName = v.pipe(
  v.string(),
  v.check(canCarryKey, () =>
    l10n.t('no header of this name can be sent: write another, such as "X-API-KEY".'),
  ),
);
const headerText = v.pipe(
  template('header'),
  v.check(
    (text) => /^[\x20-\x7e\xa0-\xff]*$/.test(text),
    () => l10n.t('it contains a line break or a character that no header can carry: leave it out.'),
  ),
);
const headers = v.pipe(
  v.record(headerName, headerText, () => l10n.t('write an object of headers and their texts.')),
  v.check(
    (written) => areDistinct(Object.keys(written)),
    () => l10n.t('two headers have the same name: leave one out.'),
  ),
);

const parameterName = v.pipe(
  v.string(),
  v.check(
    (name) => isFreeParameter(name) || name === recvWindowParam,
    () => l10n.t('the interface has a parameter of this name, or none can have it: write another.'),
  ),
);
const query = v.record(parameterName, template('parameter'), () =>
  l10n.t('write an object of parameters and their texts.'),
);

/** The part `auth.custom` of a profile: a whole scheme as data. */
export const customSchema = v.pipe(
  v.strictObject(
    {
      timestamp: v.optional(choice(timestampForms), usual.timestamp),
      aheadMs: v.optional(wholeMs(0, 3_600_000), usual.aheadMs),
      sortQuery: v.optional(v.boolean(flagCure), usual.sortQuery),
      algorithm: v.optional(choice(algorithms), usual.algorithm),
      secretEncoding: v.optional(choice(secretEncodings), usual.secretEncoding),
      stringToSign: v.optional(template('stringToSign'), usual.stringToSign),
      encoding: v.optional(choice(signatureEncodings), usual.encoding),
      headers: v.optional(headers, usual.headers),
      query: v.optional(query, usual.query),
    },
    objectCure,
  ),
  v.forward(
    v.check(
      (written) => Object.keys({ ...written.headers, ...written.query }).length > 0,
      () => l10n.t('nothing would be sent: write a header here or a parameter in query.'),
    ),
    ['headers'],
  ),
);

/** Whether no two names of headers are the same to a server, which reads them in any case. */
export function areDistinct(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}
