import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { defaultAuthFields, recvWindowParam } from '../../../../src/exchange/auth/scheme.ts';
import { operationNames, operations } from '../../../../src/api/operations.ts';
import { conventionNames } from '../../../../src/exchange/history/apiConventions.ts';
import { parseProfiles } from '../../../../src/host/profiles/parseProfile.ts';
import { conventionChoices } from '../../../../src/host/profiles/profileSchema.ts';
import {
  packageFile,
  packageWithSchema,
  schemaInPackage,
} from '../../../support/profileJsonSchema.ts';

const baseUrl = 'https://host.example';
const main = (fields: object) => ({ Main: { baseUrl, ...fields } });
const auth = (fields: unknown) => main({ auth: fields });
const dialect = (fields: unknown) => main({ dialect: fields });
const urls = (all: string) => all.split(' ').map((url) => main({ baseUrl: url }));
const names = (...all: string[]) => all.map((name) => ({ [name]: { baseUrl } }));

const takenHeaders =
  'accept accept-encoding connection content-length cookie expect host keep-alive proxy-authorization proxy-connection set-cookie te trailer transfer-encoding upgrade'.split(
    ' ',
  );
const takenParameters = [
  recvWindowParam,
  ...Object.values(operations).flatMap(({ parameters }) => Object.keys(parameters)),
];
const parameterFields = ['timestampParam', 'signatureParam'];

/** What a person may write in settings.json without a squiggle, and without the profile being disabled. */
const accepted: unknown[] = [
  {},
  ...names('a', 'x'.repeat(40), '𝔘'.repeat(40)),
  ...names('My exchange (2)', 'Практика', 'Practice 2', 'a\u00a0b'),
  ...urls('https://host https://host/ https://host.example:8443/prefix/ https://host/a@b'),
  ...urls('https://[2001:db8::1]/x https://bücher.example'),
  ...urls('http://localhost:8080 http://127.0.0.1:1/p http://[::1]:65535'),
  ...['live', 'test'].map((environment) => main({ environment })),
  ...[true, false].map((readOnly) => main({ readOnly })),
  ...['none', 'bearer', 'apiKeyHeader', 'hmacQuery'].map((scheme) => auth({ scheme })),
  ...['X-API-KEY', 'Authorization', 'x', 'Hosts', "!#$%&'*+.^_`|~09", 'k'.repeat(100)].map(
    (keyHeader) => auth({ keyHeader }),
  ),
  ...['ts', 'Page', 'pages', '~!', 'p'.repeat(100)].flatMap((name) =>
    parameterFields.map((field) => auth({ [field]: name })),
  ),
  ...[null, 1, 5000, 60_000].map((recvWindowMs) => auth({ recvWindowMs })),
  ...[[], [...operationNames], ['accounts']].map((sign) => auth({ sign })),
  ...['auto', 0, 1].map((firstPage) => dialect({ firstPage })),
  ...['auto', 'epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'].map((dates) =>
    dialect({ dates }),
  ),
  ...['auto', 'repeat', 'comma', 'brackets'].map((lists) => dialect({ lists })),
  ...['auto', null, 1, 100_000].flatMap((bound) => [
    dialect({ maxPageSize: bound }),
    dialect({ maxRangeDays: bound }),
  ]),
  ...['auto', 'newestFirst', 'oldestFirst', 'none'].map((sort) => dialect({ sort })),
  ...['auto', 'inclusive', 'exclusive'].map((dateTo) => dialect({ dateTo })),
  ...['auto', [429], [429, 418, 403]].map((statuses) => dialect({ overLimitStatuses: statuses })),
];

const refused: unknown[] = [
  [],
  'Main',
  7,
  ...names('', 'x'.repeat(41), '𝔘'.repeat(41), ' a', 'a ', '\u00a0a', 'a\u3000'),
  ...names('Practice', 'practice', 'PRACTICE', 'pRaCtIcE', 'Ｐractice', 'ｐｒａｃｔｉｃｅ'),
  ...Array.from('\n\u0000\u0085\u00ad\u061c\u200b\u202e\u2069\ufeff\u{e0041}').flatMap((hidden) =>
    names(`M${hidden}n`, `${hidden}M`, `M${hidden}`),
  ),
  ...[7, null, [], 'https://host', {}].map((Main) => ({ Main })),
  ...urls('host ftp://host wss://host https:// https://[host] https://host?a=1 https://host#f'),
  ...urls('http://host.example http://localhost.example http://127.0.0.1.example http://10.0.0.1'),
  ...urls('https://user@host https://user:word@host http://localhost:8080?x'),
  ...['', 'https://a b', 7, null].map((url) => ({ Main: { baseUrl: url } })),
  ...['practice', 'paper', 'LIVE', '', null].map((environment) => main({ environment })),
  ...['true', 1, null].map((readOnly) => main({ readOnly })),
  ...['color', 'apiKey', 'auth.scheme'].map((field) => main({ [field]: 'x' })),
  ...['hmac', 'HmacQuery', '', null].map((scheme) => auth({ scheme })),
  ...takenHeaders
    .flatMap((name) => [name, name.toUpperCase(), name.slice(0, 1).toUpperCase() + name.slice(1)])
    .map((keyHeader) => auth({ keyHeader })),
  ...['', 'X Key', 'X:', 'X\r\nHost', 'Ключ', 'k'.repeat(101), 7, null].map((keyHeader) =>
    auth({ keyHeader }),
  ),
  ...[...takenParameters, '', 'a b', 'ü', 'a\n', 'p'.repeat(101), 7, null].flatMap((name) =>
    parameterFields.map((field) => auth({ [field]: name })),
  ),
  ...[0, -1, 1.5, 60_001, '5000', true].map((recvWindowMs) => auth({ recvWindowMs })),
  ...[['accounts', 'accounts'], ['balance'], [7], 'accounts', null].map((sign) => auth({ sign })),
  ...[2, -1, '0', null, 'Auto'].map((firstPage) => dialect({ firstPage })),
  ...['seconds', 'EpochMs', null].map((dates) => dialect({ dates })),
  ...['comma,', null].map((lists) => dialect({ lists })),
  ...[0, -1, 1.5, 100_001, '100', 'none', []].flatMap((bound) => [
    dialect({ maxPageSize: bound }),
    dialect({ maxRangeDays: bound }),
  ]),
  ...[[], [399], [600], ['429'], [429, 429], 429, null, 'none'].map((statuses) =>
    dialect({ overLimitStatuses: statuses }),
  ),
  ...[true, null].map((dateTo) => dialect({ dateTo })),
  auth({ apiSecret: 'x' }),
  dialect({ sort: 'asc' }),
  ...[7, null, []].flatMap((value) => [auth(value), dialect(value)]),
];

describe('the schema of profiles in package.json and the parser', () => {
  // VS Code has keywords of its own in it.
  const fits = new Ajv({ strict: false }).compile(schemaInPackage());

  it('are one: `npm run schema` writes it', () => {
    assert.equal(readFileSync(packageFile, 'utf8'), packageWithSchema());
  });

  it('accept and refuse the same', () => {
    for (const [settings, isGood] of [
      [accepted, true],
      [refused, false],
    ] as const)
      for (const setting of settings)
        assert.deepEqual(
          [parses(setting), fits(setting)],
          [isGood, isGood],
          JSON.stringify(setting),
        );
  });

  it('accept every value that a convention can be overridden with', () => {
    for (const name of conventionNames) {
      const values: readonly unknown[] = conventionChoices[name];
      assert.ok(values.length > 1, name);
      for (const value of values)
        assert.ok(parses(dialect({ [name]: value })), `${name} ${String(value)}`);
    }
  });

  it('differ only where a schema cannot compare fields', () => {
    const sameName = auth({ signatureParam: defaultAuthFields.timestampParam });
    assert.deepEqual([parses(sameName), fits(sameName)], [false, true]);
  });
});

function parses(setting: unknown): boolean {
  return parseProfiles(setting).every(({ kind }) => kind === 'good');
}
