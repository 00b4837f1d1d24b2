import * as v from 'valibot';
import { canCarryKey, isFreeParameter } from '../../exchange/auth/names.ts';
import { defaultHmacQuery } from '../../exchange/auth/scheme.ts';
import { defaultSignedOperations, operationNames } from '../../exchange/auth/signedOperations.ts';
import { defaultDialect } from '../../exchange/dialect/dialect.ts';

/*
 * What one field of the setting `marginDesk.profiles` may hold. Each message is the cure for its
 * field, and tells nothing of the value: it may be a key in the wrong place.
 */

const environments = ['live', 'test'] as const;
const schemes = ['none', 'bearer', 'apiKeyHeader', 'hmacQuery'] as const;

function choice<const Values extends readonly (string | number)[]>(values: Values) {
  const all = values.map((value) => JSON.stringify(value));
  return v.picklist(values, `write ${all.slice(0, -1).join(', ')} or ${all.at(-1)}.`);
}

function objectCure({ expected, received, input }: v.StrictObjectIssue): string {
  if (expected === 'never') return unknownFieldCure(String(input));
  return received === 'undefined' ? addressCure : bracesCure;
}

function unknownFieldCure(field: string): string {
  return /key|secret|token|passw|passphrase/i.test(field)
    ? 'keys do not belong in settings: remove it and run “Margin Desk: Set Credentials”.'
    : 'there is no such field: remove it or correct its name.';
}

/** A list is an object too, of JavaScript's and of valibot's. */
function noList() {
  return v.pipe(
    v.unknown(),
    v.check((value) => !Array.isArray(value), bracesCure),
  );
}

const bracesCure = 'write an object in braces.';
const addressCure = 'write the exchange’s address as "https://host" or "https://host/prefix".';

const header = v.pipe(
  v.string('write the name of a header in quotes.'),
  v.check(canCarryKey, 'this header cannot carry a key: write another, such as "X-API-KEY".'),
);

function parameter(usual: string) {
  const cure = `no parameter beside those of the interface can have this name: write another, such as "${usual}".`;
  return v.pipe(
    v.string('write the name of a parameter in quotes.'),
    v.check(isFreeParameter, cure),
  );
}

const windowCure = 'write whole milliseconds from 1 to 60000, or null to leave it out.';
const recvWindow = v.pipe(
  v.number(windowCure),
  v.integer(windowCure),
  v.minValue(1, windowCure),
  v.maxValue(60_000, windowCure),
);

const signCure = `write a list of operations: ${operationNames.join(', ')}.`;
const signed = v.pipe(
  v.array(v.picklist(operationNames, signCure), signCure),
  v.check((names) => new Set(names).size === names.length, 'name each operation once.'),
);

const usual = defaultHmacQuery;
const authSchema = v.pipe(
  noList(),
  v.strictObject(
    {
      scheme: v.optional(choice(schemes), 'hmacQuery'),
      keyHeader: v.optional(header, usual.keyHeader),
      timestampParam: v.optional(parameter(usual.timestampParam), usual.timestampParam),
      signatureParam: v.optional(parameter(usual.signatureParam), usual.signatureParam),
      recvWindowMs: v.optional(v.nullable(recvWindow), usual.recvWindowMs),
      sign: v.optional(signed, [...defaultSignedOperations]),
    },
    objectCure,
  ),
  v.forward(
    v.check(
      ({ timestampParam, signatureParam }) => timestampParam !== signatureParam,
      'it has the name of the timestamp: write another, such as "signature".',
    ),
    ['signatureParam'],
  ),
);

const dialectSchema = v.pipe(
  noList(),
  v.strictObject(
    {
      firstPage: v.optional(choice([0, 1]), defaultDialect.firstPage),
      dates: v.optional(choice(['epochMs', 'isoInstant', 'isoDate']), defaultDialect.dates),
      lists: v.optional(choice(['repeat', 'comma']), defaultDialect.lists),
    },
    objectCure,
  ),
);

export const profileSchema = v.strictObject(
  {
    baseUrl: v.string(addressCure),
    environment: v.optional(choice(environments), 'live'),
    readOnly: v.optional(v.boolean('write true or false.'), false),
    auth: v.optional(authSchema, {}),
    dialect: v.optional(dialectSchema, {}),
  },
  objectCure,
);

/** The part `auth` of a profile, with its defaults. */
export type AuthSetting = v.InferOutput<typeof authSchema>;
