import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { originOf } from '../../../src/account/profile.ts';
import {
  algorithms,
  defaultHmacHeaders,
  defaultHmacIsoPassphrase,
  defaultHmacQuery,
  defaultRecipe,
  secretEncodings,
  signatureEncodings,
  timestampForms,
} from '../../../src/exchange/auth/scheme.ts';
import { defaultSignedOperations } from '../../../src/exchange/auth/signedOperations.ts';
import { autoDialect } from '../../../src/exchange/dialect/dialect.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { schemes } = await import('../../../src/host/profiles/authSchema.ts');
const { parseProfile, parseProfiles } = await import('../../../src/host/profiles/parseProfile.ts');
const { nameProblem, proposeName } = await import('../../../src/host/profiles/profileName.ts');

const baseUrl = 'https://host.example';

describe('a profile of the settings', () => {
  it('has defaults for everything but its address', () => {
    assert.deepEqual(parseProfile('Main', { baseUrl: `${baseUrl}/` }), {
      name: 'Main',
      environment: 'live',
      baseUrl,
      readOnly: false,
      auth: defaultHmacQuery,
      sign: ['orders', 'trades', 'transactions', 'accounts', 'cancelAll'],
      dialect: autoDialect,
    });
  });

  it('takes every field', () => {
    const profile = parseProfile('Main', {
      baseUrl: 'https://host.example:8443/prefix',
      environment: 'test',
      readOnly: true,
      auth: {
        scheme: 'hmacQuery',
        keyHeader: 'X-Other',
        timestampParam: 'ts',
        signatureParam: 'sig',
        recvWindowMs: 5000,
        sign: ['accounts', 'exchangeInfo'],
      },
      dialect: { firstPage: 1, dates: 'isoDate', maxPageSize: null, overLimitStatuses: [403] },
    });
    assert.deepEqual(profile, {
      name: 'Main',
      environment: 'test',
      baseUrl: 'https://host.example:8443/prefix',
      readOnly: true,
      auth: {
        scheme: 'hmacQuery',
        keyHeader: 'X-Other',
        timestampParam: 'ts',
        signatureParam: 'sig',
        recvWindowMs: 5000,
      },
      sign: ['accounts', 'exchangeInfo'],
      dialect: {
        ...autoDialect,
        ...{ firstPage: 1, dates: 'isoDate', maxPageSize: null, overLimitStatuses: [403] },
      },
    });
    assert.equal(originOf(profile), 'https://host.example:8443');
  });

  for (const [scheme, auth] of [
    ['none', { scheme: 'none' }],
    ['bearer', { scheme: 'bearer' }],
    ['apiKeyHeader', { scheme: 'apiKeyHeader', keyHeader: 'X-Mine' }],
    ['hmacQuery', { ...defaultHmacQuery, keyHeader: 'X-Mine' }],
    ['basic', { scheme: 'basic' }],
    ['hmacHeaders', { ...defaultHmacHeaders, keyHeader: 'X-Mine' }],
    ['hmacIsoPassphrase', { ...defaultHmacIsoPassphrase, keyHeader: 'X-Mine' }],
    ['custom', { ...defaultRecipe, scheme: 'custom' }],
  ] as const) {
    it(`keeps of its scheme what ${scheme} needs`, () => {
      const entry = { baseUrl, auth: { scheme, keyHeader: 'X-Mine' } };
      assert.deepEqual(parseProfile('Main', entry).auth, auth);
    });
  }

  it('takes every parameter of the presets and of a custom scheme', () => {
    const names = {
      keyHeader: 'X-K',
      timestampHeader: 'X-T',
      signatureHeader: 'X-S',
      recvWindowHeader: 'X-R',
      passphraseHeader: 'X-P',
      recvWindowMs: 7,
      stringToSign: '{method}|{path}',
    };
    const authOf = (auth: object) => parseProfile('Main', { baseUrl, auth }).auth;
    const { passphraseHeader, recvWindowHeader, recvWindowMs, stringToSign, ...common } = names;
    assert.deepEqual(authOf({ scheme: 'hmacHeaders', ...names }), {
      scheme: 'hmacHeaders',
      ...common,
      recvWindowHeader,
      recvWindowMs,
      stringToSign,
    });
    assert.deepEqual(authOf({ scheme: 'hmacIsoPassphrase', ...names }), {
      scheme: 'hmacIsoPassphrase',
      ...common,
      passphraseHeader,
    });
    const custom = {
      timestamp: 'iso',
      aheadMs: 60_000,
      sortQuery: true,
      algorithm: 'rsaSha256',
      secretEncoding: 'hex',
      stringToSign: '{method}\n{bodySha512}',
      encoding: 'base64url',
      headers: { A: 'v1 {apiKey}' },
      query: { recvWindow: '{recvWindow}', sig: '{signature}' },
    };
    assert.deepEqual(authOf({ scheme: 'custom', custom, recvWindowMs }), {
      scheme: 'custom',
      ...custom,
      recvWindowMs,
    });
  });

  const wrong: [what: string, entry: unknown, sentence: RegExp][] = [
    ['no object', 'https://host.example', /“Main”: write an object in braces\.$/],
    ['a list', [], /“Main”, baseUrl|“Main”: write an object/],
    ['no address', {}, /“Main”, baseUrl: write the exchange’s address as "https:\/\/host"/],
    ['a number as address', { baseUrl: 1 }, /“Main”, baseUrl: write the exchange’s address/],
    ['no URL', { baseUrl: 'host' }, /“Main”, baseUrl: The base URL is not a URL: write/],
    ['http', { baseUrl: 'http://host.example' }, /“Main”, baseUrl: .*must begin with https/],
    ['a user', { baseUrl: 'https://MARKED@host.example' }, /baseUrl: .*user or password: leave/],
    ['a query', { baseUrl: `${baseUrl}?a=MARKED` }, /baseUrl: .*query or fragment: leave out/],
    ['an environment', { baseUrl, environment: 'MARKED' }, /, environment: write "live" or "test"/],
    ['practice', { baseUrl, environment: 'practice' }, /, environment: write "live" or "test"/],
    ['a text for a truth', { baseUrl, readOnly: 'MARKED' }, /, readOnly: write true or false\.$/],
    ['an unknown field', { baseUrl, color: 'MARKED' }, /, color: there is no such field: remove/],
    [
      'a key',
      { baseUrl, apiKey: 'MARKED' },
      /, apiKey: keys do not belong in settings: remove it and run “Margin Desk: Set Credentials”\.$/,
    ],
    [
      'a secret',
      { baseUrl, auth: { apiSecret: 'MARKED' } },
      /, auth\.apiSecret: keys do not belong/,
    ],
    ['an auth that is none', { baseUrl, auth: 'MARKED' }, /, auth: write an object in braces/],
    ['a list as auth', { baseUrl, auth: [] }, /, auth: write an object in braces/],
    ['a list as dialect', { baseUrl, dialect: [1] }, /, dialect: write an object in braces/],
    [
      'a scheme',
      { baseUrl, auth: { scheme: 'MARKED' } },
      /, auth\.scheme: write "none", "bearer", "basic", .*, "hmacIsoPassphrase" or "custom"\.$/,
    ],
    ['an empty header', { baseUrl, auth: { keyHeader: '' } }, /keyHeader: this header cannot/],
    ['a taken header', { baseUrl, auth: { keyHeader: 'Host' } }, /keyHeader: this header cannot/],
    ['a cookie', { baseUrl, auth: { keyHeader: 'cookie' } }, /keyHeader: this header cannot/],
    [
      'a header with a line break',
      { baseUrl, auth: { keyHeader: 'X\r\nHost: MARKED' } },
      /, auth\.keyHeader: this header cannot carry a key: write another, such as "X-API-KEY"\.$/,
    ],
    [
      'a parameter of the interface',
      { baseUrl, auth: { timestampParam: 'page' } },
      /, auth\.timestampParam: no parameter .* such as "timestamp"\.$/,
    ],
    [
      'one name for two',
      { baseUrl, auth: { timestampParam: 'x', signatureParam: 'x' } },
      /, auth\.signatureParam: it has the name of the timestamp/,
    ],
    ['a window', { baseUrl, auth: { recvWindowMs: 0 } }, /recvWindowMs: write whole milliseconds/],
    ['half a ms', { baseUrl, auth: { recvWindowMs: 1.5 } }, /recvWindowMs: write whole millis/],
    ['a window text', { baseUrl, auth: { recvWindowMs: '5' } }, /recvWindowMs: write whole millis/],
    [
      'one header for two',
      { baseUrl, auth: { scheme: 'hmacHeaders', keyHeader: 'x-timestamp' } },
      /, auth\.signatureHeader: two headers of the scheme have the same name: write another/,
    ],
    [
      'an unknown name in what is signed',
      { baseUrl, auth: { stringToSign: '{timestamp}{nonce}' } },
      /, auth\.stringToSign: \{nonce\} is no name that can stand here: write one of \{timestamp\}, /,
    ],
    [
      'a secret in what is signed',
      { baseUrl, auth: { custom: { stringToSign: 'MARKED{apiSecret}' } } },
      /, auth\.custom\.stringToSign: \{apiSecret\} is no name that can stand here: write one of/,
    ],
    [
      'an unknown name in a header',
      { baseUrl, auth: { custom: { headers: { 'X-A': '{secret}' } } } },
      /, auth\.custom\.headers\.X-A: \{secret\} is no name that can stand here: write one of/,
    ],
    [
      'the query in a parameter',
      { baseUrl, auth: { custom: { query: { a: '{query}' } } } },
      /, auth\.custom\.query\.a: \{query\} is no name that can stand here: write one of/,
    ],
    [
      'half a brace',
      { baseUrl, auth: { custom: { stringToSign: 'MARKED{' } } },
      /, auth\.custom\.stringToSign: a brace has no other: write names as \{timestamp\}\.$/,
    ],
    [
      'a line break in a header',
      { baseUrl, auth: { custom: { headers: { A: 'MARKED\r\nHost: a' } } } },
      /, auth\.custom\.headers\.A: it contains a line break or a character/,
    ],
    [
      'a taken header of its own',
      { baseUrl, auth: { custom: { headers: { Cookie: 'MARKED' } } } },
      /, auth\.custom\.headers\.Cookie: no header of this name can be sent: write another/,
    ],
    [
      'two headers of one name',
      { baseUrl, auth: { custom: { headers: { A: 'MARKED', a: 'MARKED' } } } },
      /, auth\.custom\.headers: two headers have the same name: leave one out\.$/,
    ],
    [
      'a taken parameter of its own',
      { baseUrl, auth: { custom: { query: { page: 'MARKED' } } } },
      /, auth\.custom\.query\.page: the interface has a parameter of this name/,
    ],
    [
      'a scheme that sends nothing',
      { baseUrl, auth: { custom: { headers: {} } } },
      /, auth\.custom\.headers: nothing would be sent: write a header here or a parameter/,
    ],
    [
      'an algorithm',
      { baseUrl, auth: { custom: { algorithm: 'MARKED' } } },
      /, auth\.custom\.algorithm: write "hmacSha256", .* or "rsaSha256"\.$/,
    ],
    [
      'a key of its own',
      { baseUrl, auth: { custom: { privateKey: 'MARKED' } } },
      /, auth\.custom\.privateKey: keys do not belong in settings: remove it/,
    ],
    [
      'a time ahead',
      { baseUrl, auth: { custom: { aheadMs: -1 } } },
      /, auth\.custom\.aheadMs: write whole milliseconds from 0 to 3600000\.$/,
    ],
    [
      'no list',
      { baseUrl, auth: { sign: 'accounts' } },
      /, auth\.sign: write a list of operations/,
    ],
    [
      'an operation twice',
      { baseUrl, auth: { sign: ['accounts', 'accounts'] } },
      /, auth\.sign: name each operation once\.$/,
    ],
    [
      'an unknown operation',
      { baseUrl, auth: { sign: ['accounts', 'MARKED'] } },
      /, auth\.sign\.1: write a list of operations: orders, trades, /,
    ],
    [
      'a page',
      { baseUrl, dialect: { firstPage: 2 } },
      /, dialect\.firstPage: write "auto", 0 or 1\.$/,
    ],
    ['a page text', { baseUrl, dialect: { firstPage: '0' } }, /firstPage: write "auto", 0 or 1\.$/],
    ['dates', { baseUrl, dialect: { dates: 'MARKED' } }, /"isoLocal" or "isoDate"\.$/],
    ['lists', { baseUrl, dialect: { lists: null } }, /, dialect\.lists: write "auto", "repeat"/],
    [
      'a page size',
      { baseUrl, dialect: { maxPageSize: 0 } },
      /, dialect\.maxPageSize: write "auto", a whole number of rows from 1 to 100000, or null/,
    ],
    [
      'statuses twice',
      { baseUrl, dialect: { overLimitStatuses: [429, 429] } },
      /, dialect\.overLimitStatuses: write "auto" or a list of different HTTP statuses/,
    ],
    ['a dialect field', { baseUrl, dialect: { color: 1 } }, /, dialect\.color: there is no such/],
  ];
  for (const [what, entry, sentence] of wrong) {
    it(`is refused for ${what} in one sentence that tells no value`, () => {
      const [parsed] = parseProfiles({ Main: entry });
      assert.equal(parsed?.kind, 'bad');
      assert.match(parsed.problem, sentence);
      assert.match(parsed.problem, /^Profile “Main”/);
      assert.doesNotMatch(parsed.problem, /MARKED|\n/);
    });
  }

  it('that is wrong disables itself only', () => {
    const entries = parseProfiles({ One: { baseUrl }, Two: { baseUrl: '' }, Three: { baseUrl } });
    assert.deepEqual(
      entries.map(({ kind, name }) => [kind, name]),
      [
        ['good', 'One'],
        ['bad', 'Two'],
        ['good', 'Three'],
      ],
    );
  });

  for (const setting of ['x', [], null, 7])
    it(`is none, and says so, where the setting is ${JSON.stringify(setting)}`, () => {
      const [entry, ...others] = parseProfiles(setting);
      assert.deepEqual(others, []);
      assert.ok(
        entry?.kind === 'bad' && entry.problem.startsWith('The profiles must be an object'),
      );
    });

  it('has in package.json the defaults and choices that it has here', () => {
    type Schema = {
      readonly properties?: Record<string, Schema>;
      readonly default?: unknown;
      readonly enum?: readonly unknown[];
    };
    const file = join(import.meta.dirname, '../../../package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
      contributes: {
        configuration: { properties: Record<string, { additionalProperties: Schema }> };
      };
    };
    const schema =
      manifest.contributes.configuration.properties['marginDesk.profiles']?.additionalProperties ??
      assert.fail('no schema');
    const defaultsOf = ({ properties, default: value }: Schema): unknown =>
      properties
        ? Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, defaultsOf(field)]),
          )
        : value;
    const { environment, readOnly, sign, dialect } = parseProfile('Main', { baseUrl });
    const { recvWindowMs, ...custom } = defaultRecipe;
    const presets = { ...defaultHmacIsoPassphrase, ...defaultHmacHeaders, ...defaultHmacQuery };
    assert.equal(presets.recvWindowMs, recvWindowMs);
    assert.deepEqual(sign, defaultSignedOperations);
    assert.deepEqual(defaultsOf(schema), {
      baseUrl: undefined,
      environment,
      readOnly,
      auth: { ...presets, custom, sign },
      dialect,
    });
    const auth = schema.properties?.auth?.properties ?? {};
    assert.deepEqual(auth.scheme?.enum, schemes);
    const { timestamp, algorithm, secretEncoding, encoding } = auth.custom?.properties ?? {};
    assert.deepEqual(timestamp?.enum, timestampForms);
    assert.deepEqual(algorithm?.enum, algorithms);
    assert.deepEqual(secretEncoding?.enum, secretEncodings);
    assert.deepEqual(encoding?.enum, signatureEncodings);
  });
});

describe('the name of a profile', () => {
  for (const name of ['a', 'x'.repeat(40), '𝔘'.repeat(40), 'My exchange (2)', 'Практика'])
    it(`may be ${name}`, () => assert.equal(nameProblem(name), undefined));

  const refused: [string, RegExp][] = [
    ['', /1 to 40 characters/],
    ['x'.repeat(41), /1 to 40 characters/],
    ['Practice', /reserved/],
    ['practice', /reserved/],
    ['PRACTICE', /reserved/],
    ['Ｐractice', /reserved/],
    [' Practice', /begin nor end with a space/],
    ['Main ', /begin nor end with a space/],
    ['Ma\u202ein', /cannot be seen/],
    ['Ma\u200bin', /cannot be seen/],
    ['Ma\nin', /cannot be seen/],
  ];
  for (const [name, sentence] of refused)
    it(`must not be ${JSON.stringify(name)}`, () => {
      assert.match(nameProblem(name) ?? '', sentence);
      const [entry] = parseProfiles({ [name]: { baseUrl } });
      assert.equal(entry?.kind, 'bad');
    });

  it('is proposed from the host, sound and free', () => {
    assert.equal(proposeName('https://api.host.example/prefix', []), 'api.host.example');
    assert.equal(proposeName('http://127.0.0.1:8080', []), '127.0.0.1:8080');
    assert.equal(proposeName('https://h.x', ['h.x', 'h.x 2']), 'h.x 3');
    assert.equal(proposeName('https://practice', []), 'practice 2');
    const long = `https://${'a'.repeat(60)}.example`;
    const first = proposeName(long, []);
    assert.equal(first.length, 40);
    const second = proposeName(long, [first]);
    assert.equal(second.length, 40);
    assert.ok(second.endsWith(' 2'));
  });
});
