import assert from 'node:assert/strict';
import { originOf } from '../../../../src/account/session/profile.ts';
import { defaultHmacQuery, presetScheme } from '../../../../src/exchange/auth/scheme.ts';
import { autoConventions } from '../../../../src/exchange/history/apiConventions.ts';
import {
  parseProfile,
  parseProfiles,
  nameProblem,
  newNameProblem,
  proposeName,
} from '../../../../src/host/profiles/parseProfile.ts';
import { profileItem } from '../../../../src/host/profiles/profileSettings.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { wrongProfiles } from '../../../support/wrongProfiles.ts';
import { accountLabel, untrustedText } from '../../../../src/host/text/messageText.ts';

const baseUrl = 'https://host.example';
const auth = (fields: unknown) => ({ baseUrl, auth: fields });

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

  it('is refused in one sentence that names the field, not the value', () => {
    const lines = wrongProfiles.map((entry) => {
      const [parsed] = parseProfiles({ Main: entry });
      const problem = parsed?.kind === 'bad' ? parsed.problem : assert.fail(JSON.stringify(entry));
      assert.doesNotMatch(problem, /MARKED|\n/);
      return `${JSON.stringify(entry)}: ${problem}`;
    });
    assertApprovedLines('profiles/refusals', lines);
  });

  it('that is invalid disables only itself', () => {
    const entries = parseProfiles({ One: { baseUrl }, Two: { baseUrl: '' }, Three: { baseUrl } });
    const kinds = entries.map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(kinds, ['good One', 'bad Two', 'good Three']);
  });

  it('is invalid, and says so, if the setting is no object', () => {
    for (const setting of ['x', [], null, 7]) {
      const [entry, ...others] = parseProfiles(setting);
      assert.deepEqual(others, []);
      assert.match(entry?.kind === 'bad' ? entry.problem : '', /^The profiles must be an object/);
    }
  });
});

describe('the name of a profile', () => {
  it('has 1 to 40 characters, all of them visible, and is not that of the practice account', () => {
    const good = ['a', 'x'.repeat(40), '𝔘'.repeat(40), 'My exchange (2)', 'Практика'];
    for (const name of good) assert.equal(nameProblem(name), undefined, name);
    const reserved = ['Practice', 'practice', 'PRACTICE', 'Ｐractice'];
    const spaced = ['', 'x'.repeat(41), ' Practice', 'Main '];
    const names = [...reserved, ...spaced, 'Ma\u202ein', 'Ma\u200bin', 'Ma\nin'];
    for (const name of names) assert.equal(parseProfiles({ [name]: { baseUrl } })[0]?.kind, 'bad');
    assertApprovedLines(
      'profiles/names',
      names.map((name) => `${encodeURI(name)}: ${nameProblem(name) ?? 'fine'}`),
    );
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
