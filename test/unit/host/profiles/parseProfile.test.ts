import assert from 'node:assert/strict';
import { originOf } from '../../../../src/account/session/profile.ts';
import {
  algorithms,
  defaultHmacQuery,
  defaultSigningSpec,
  presetScheme,
  schemeNames,
} from '../../../../src/exchange/auth/scheme.ts';
import { autoConventions } from '../../../../src/exchange/conventions/apiConventions.ts';
import {
  parseProfile,
  parseProfiles,
  nameProblem,
  newNameProblem,
  proposeName,
} from '../../../../src/host/profiles/parseProfile.ts';
import { profileItem } from '../../../../src/host/profiles/profileSettings.ts';
import { accountLabel, untrustedText } from '../../../../src/host/text/messageText.ts';

const baseUrl = 'https://host.example';
const keysElsewhere =
  'keys do not belong in settings: remove it and run “Margin Desk: Edit Profile…”.';
const notHere = 'is not a valid name here. Use one of';
const choiceOf = (names: readonly string[]) =>
  names
    .map((name) => `"${name}"`)
    .join(', ')
    .replace(/, ("[^"]*")$/, ' or $1');
const profile = (fields: object) => ({ baseUrl, ...fields });
const auth = (fields: unknown) => ({ baseUrl, auth: fields });
const custom = (fields: object) => auth({ custom: fields });
const dialect = (fields: unknown) => ({ baseUrl, dialect: fields });

describe('a profile of the settings', () => {
  it('has defaults for everything except its address', () => {
    assert.deepEqual(parseProfile('Main', { baseUrl: `${baseUrl}/` }), {
      name: 'Main',
      environment: 'live',
      baseUrl,
      readOnly: false,
      limitPer: 'origin',
      auth: defaultHmacQuery,
      sign: ['orders', 'trades', 'transactions', 'accounts', 'cancelAll'],
      dialect: autoConventions,
    });
  });

  it('accepts every field', () => {
    const fields = {
      baseUrl: 'https://host.example:8443/prefix',
      ...({ environment: 'test', readOnly: true, limitPer: 'key' } as const),
    };
    const sign = ['accounts', 'exchangeInfo'];
    const scheme = 'hmacQuery';
    const authFields = {
      keyHeader: 'X-Other',
      recvWindowMs: 5000,
      timestampParam: 'ts',
      signatureParam: 'sig',
    };
    const dialect = { firstPage: 1, dates: 'isoDate', maxPageSize: null, overLimitStatuses: [403] };
    const parsed = parseProfile('Main', {
      ...fields,
      auth: { scheme, ...authFields, sign },
      dialect,
    });
    assert.deepEqual(parsed, {
      name: 'Main',
      ...fields,
      auth: presetScheme(scheme, authFields),
      sign,
      dialect: { ...autoConventions, ...dialect },
    });
    assert.equal(originOf(parsed), 'https://host.example:8443');
  });

  it('shares one count with the others of its origin where they differ', () => {
    const own = (url: string, limitPer?: string) => ({ baseUrl: url, limitPer });
    const entries = parseProfiles({
      Key: own(`${baseUrl}/a`, 'key'),
      Shared: own(`${baseUrl}:443/b`),
      Elsewhere: own('https://other.example', 'key'),
      Bad: own('https://other.example', 'address'),
    });
    const limitsPer = entries.map((one) => (one.kind === 'good' ? one.profile.limitPer : one.kind));
    assert.deepEqual(limitsPer, ['origin', 'origin', 'key', 'bad']);
  });

  for (const [scheme, auth] of [
    ['none', presetScheme('none')],
    ['bearer', presetScheme('bearer')],
    ['apiKeyHeader', presetScheme('apiKeyHeader', { keyHeader: 'X-Mine' })],
    ['hmacQuery', presetScheme('hmacQuery', { keyHeader: 'X-Mine' })],
    ['basic', presetScheme('basic')],
    ['hmacHeaders', presetScheme('hmacHeaders', { keyHeader: 'X-Mine' })],
    ['hmacIsoPassphrase', presetScheme('hmacIsoPassphrase', { keyHeader: 'X-Mine' })],
    ['custom', { ...defaultSigningSpec, scheme: 'custom' }],
  ] as const)
    it(`keeps the fields that ${scheme} needs`, () => {
      const entry = { baseUrl, auth: { scheme, keyHeader: 'X-Mine' } };
      assert.deepEqual(parseProfile('Main', entry).auth, auth);
    });

  it('accepts every parameter of presets and custom schemes', () => {
    const recvWindowMs = 7;
    const names = { keyHeader: 'X-K', timestampHeader: 'X-T', signatureHeader: 'X-S' };
    const common = { ...names, recvWindowMs };
    const ofHeaders = { recvWindowHeader: 'X-R', stringToSign: '{method}|{path}' };
    const ofPassphrase = { passphraseHeader: 'X-P' };
    const authOf = (fields: object) => parseProfile('Main', auth(fields)).auth;
    for (const [scheme, own] of [
      ['hmacHeaders', ofHeaders],
      ['hmacIsoPassphrase', ofPassphrase],
    ] as const)
      assert.deepEqual(
        authOf({ scheme, ...common, ...ofHeaders, ...ofPassphrase }),
        presetScheme(scheme, { ...common, ...own }),
      );
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
    const scheme = 'custom';
    assert.deepEqual(authOf({ scheme, custom, recvWindowMs }), { scheme, ...custom, recvWindowMs });
  });

  /** How a sentence continues after the profile's name, and what it refuses. Whole if it ends with a period. */
  const refusals: readonly (readonly [sentence: string, ...entries: unknown[]])[] = [
    [': write an object in braces.', 'https://host.example', []],
    [', baseUrl: write the exchange’s address as "https://host"', {}, { baseUrl: 1 }],
    [', baseUrl: The base URL is not a URL: write', { baseUrl: 'host' }],
    [', baseUrl: The base URL must begin with https', { baseUrl: 'http://host.example' }],
    [
      ', baseUrl: The base URL must not contain a user name or password. Remove',
      { baseUrl: 'https://MARKED@host.example' },
    ],
    [
      ', baseUrl: The base URL must not contain a query or fragment. Remove',
      { baseUrl: `${baseUrl}?a=MARKED` },
    ],
    [
      ', environment: write "live" or "test".',
      ...[profile({ environment: 'MARKED' }), profile({ environment: 'practice' })],
    ],
    [', readOnly: write true or false.', profile({ readOnly: 'MARKED' })],
    [', color: there is no such field: remove', profile({ color: 'MARKED' })],
    [`, apiKey: ${keysElsewhere}`, profile({ apiKey: 'MARKED' })],
    [', auth: write an object in braces.', auth('MARKED'), auth([])],
    [', dialect: write an object in braces.', dialect([1])],
    [`, auth.apiSecret: ${keysElsewhere}`, auth({ apiSecret: 'MARKED' })],
    [`, auth.scheme: write ${choiceOf(schemeNames)}.`, auth({ scheme: 'MARKED' })],
    [
      ', auth.keyHeader: this header cannot carry a key: write another, such as "X-API-KEY".',
      ...['', 'Host', 'cookie', 'X\r\nHost: MARKED'].map((keyHeader) => auth({ keyHeader })),
    ],
    [
      ', auth.timestampParam: the API uses this parameter name, or it is invalid: write another, such as "timestamp".',
      auth({ timestampParam: 'page' }),
    ],
    [
      ', auth.signatureParam: this is also the name of the timestamp',
      auth({ timestampParam: 'x', signatureParam: 'x' }),
    ],
    [
      ', auth.recvWindowMs: write whole milliseconds',
      ...[0, 1.5, '5'].map((recvWindowMs) => auth({ recvWindowMs })),
    ],
    [
      ', auth.signatureHeader: two headers of the scheme have the same name: write another',
      auth({ scheme: 'hmacHeaders', keyHeader: 'x-timestamp' }),
    ],
    [
      `, auth.stringToSign: {nonce} ${notHere} {timestamp}, `,
      auth({ stringToSign: '{timestamp}{nonce}' }),
    ],
    [
      `, auth.custom.stringToSign: {apiSecret} ${notHere}`,
      custom({ stringToSign: 'MARKED{apiSecret}' }),
    ],
    [`, auth.custom.headers.X-A: {secret} ${notHere}`, custom({ headers: { 'X-A': '{secret}' } })],
    [`, auth.custom.query.a: {query} ${notHere}`, custom({ query: { a: '{query}' } })],
    [
      ', auth.custom.stringToSign: A brace is not closed. Write names as {timestamp}.',
      custom({ stringToSign: 'MARKED{' }),
    ],
    [
      ', auth.custom.headers.A: a header cannot contain a line break',
      custom({ headers: { A: 'MARKED\r\nHost: a' } }),
    ],
    [
      ', auth.custom.headers.Cookie: a header of this name cannot be sent: write another',
      custom({ headers: { Cookie: 'MARKED' } }),
    ],
    [
      ', auth.custom.headers: two headers have the same name: remove one.',
      custom({ headers: { A: 'MARKED', a: 'MARKED' } }),
    ],
    [
      ', auth.custom.query.page: the API uses this parameter name',
      custom({ query: { page: 'MARKED' } }),
    ],
    [
      ', auth.custom.headers: nothing would be sent: add a header here or a parameter',
      custom({ headers: {} }),
    ],
    [`, auth.custom.algorithm: write ${choiceOf(algorithms)}.`, custom({ algorithm: 'MARKED' })],
    [`, auth.custom.privateKey: ${keysElsewhere}`, custom({ privateKey: 'MARKED' })],
    [', auth.custom.aheadMs: write whole milliseconds from 0 to 3600000.', custom({ aheadMs: -1 })],
    [', auth.sign: write a list of operations', auth({ sign: 'accounts' })],
    [', auth.sign: name each operation once.', auth({ sign: ['accounts', 'accounts'] })],
    [
      ', auth.sign.1: write a list of operations: orders, trades, ',
      auth({ sign: ['accounts', 'MARKED'] }),
    ],
    [
      ', dialect.firstPage: write "auto", 0 or 1.',
      ...[2, '0'].map((firstPage) => dialect({ firstPage })),
    ],
    [
      ', dialect.dates: write "auto", "epochMs", "epochS", "isoInstant", "isoLocal" or "isoDate".',
      dialect({ dates: 'MARKED' }),
    ],
    [', dialect.lists: write "auto", "repeat"', dialect({ lists: null })],
    [
      ', dialect.maxPageSize: write "auto", a whole number of rows from 1 to 100000, or null',
      dialect({ maxPageSize: 0 }),
    ],
    [
      ', dialect.overLimitStatuses: write "auto" or a list of different HTTP statuses',
      dialect({ overLimitStatuses: [429, 429] }),
    ],
    [', dialect.color: there is no such', dialect({ color: 1 })],
  ];
  for (const [sentence, ...entries] of refusals)
    for (const entry of entries)
      it(`is refused in one sentence without the value: ${JSON.stringify(entry)}`, () => {
        const [parsed] = parseProfiles({ Main: entry });
        assert.equal(parsed?.kind, 'bad');
        const whole = `Profile “Main”${sentence}`;
        if (sentence.endsWith('.')) assert.equal(parsed.problem, whole);
        else assert.ok(parsed.problem.startsWith(whole), parsed.problem);
        assert.doesNotMatch(parsed.problem, /MARKED|\n/);
      });

  it('that is invalid disables only itself', () => {
    const entries = parseProfiles({ One: { baseUrl }, Two: { baseUrl: '' }, Three: { baseUrl } });
    const kinds = entries.map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(kinds, ['good One', 'bad Two', 'good Three']);
  });

  for (const setting of ['x', [], null, 7])
    it(`is invalid, and says so, if the setting is ${JSON.stringify(setting)}`, () => {
      const [entry, ...others] = parseProfiles(setting);
      assert.deepEqual(others, []);
      assert.ok(
        entry?.kind === 'bad' && entry.problem.startsWith('The profiles must be an object'),
      );
    });
});

describe('the name of a profile', () => {
  for (const name of ['a', 'x'.repeat(40), '𝔘'.repeat(40), 'My exchange (2)', 'Практика'])
    it(`can be ${name}`, () => assert.equal(nameProblem(name), undefined));

  for (const [sentence, ...names] of [
    [/1 to 40 characters/, '', 'x'.repeat(41)],
    [/reserved/, 'Practice', 'practice', 'PRACTICE', 'Ｐractice'],
    [/not start or end with a space/, ' Practice', 'Main '],
    [/invisible characters/, 'Ma\u202ein', 'Ma\u200bin', 'Ma\nin'],
  ] as const)
    for (const name of names)
      it(`cannot be ${JSON.stringify(name)}`, () => {
        assert.match(nameProblem(name) ?? '', sentence);
        const [entry] = parseProfiles({ [name]: { baseUrl } });
        assert.equal(entry?.kind, 'bad');
      });

  for (const hidden of ['\u034f', '\u3164', '\ufe0f'])
    it(`that is stored with U+${hidden.codePointAt(0)?.toString(16)} can be used, and is shown escaped`, () => {
      const name = `Practice${hidden}`;
      const [entry = assert.fail()] = parseProfiles({ [name]: { baseUrl } });
      assert.equal(entry.kind, 'good');
      const shown = `Practice\\u{${hidden.codePointAt(0)?.toString(16)}}`;
      assert.equal(profileItem(entry).label, shown);
      assert.equal(accountLabel({ name, environment: 'live' }), `LIVE · ${shown}`);
      assert.equal(untrustedText(name), shown);
      assert.match(
        newNameProblem(name) ?? '',
        /invisible characters, such as U\+[0-9A-F]{4}: remove/,
      );
    });

  it('with an emoji variation selector is shown if stored, but not accepted for a new profile', () => {
    const name = 'Main ⚠\ufe0f';
    assert.equal(accountLabel({ name, environment: 'live' }), `LIVE · ${name}`);
    assert.match(newNameProblem(name) ?? '', /such as U\+FE0F: remove/);
  });

  it('that is stored with zero-width characters is invalid, and listed escaped', () => {
    const [entry = assert.fail()] = parseProfiles({ 'Practice\u200b': { baseUrl } });
    assert.equal(entry.kind, 'bad');
    assert.equal(profileItem(entry).label, 'Practice\\u{200b}');
  });

  it('is proposed from the host, valid and unused', () => {
    assert.equal(proposeName('https://api.host.example/prefix', []), 'host.example');
    assert.equal(proposeName('http://127.0.0.1:8080', []), '127.0.0.1');
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
