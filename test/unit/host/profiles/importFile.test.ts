import assert from 'node:assert/strict';
import { maxImportBytes, readImport } from '../../../../src/host/profiles/importProfiles.ts';

const baseUrl = 'https://host.example';
const read = (text: string) => readImport('desk.json', Buffer.from(text));
const readAll = (profiles: unknown) => read(JSON.stringify(profiles));

/** The sentence of a file that is refused as a whole. */
function refusal(text: string | Buffer): string {
  try {
    readImport('desk.json', Buffer.from(text));
  } catch (error) {
    if (error instanceof Error && error.name === 'UserFacingError') return error.message;
    throw error;
  }
  return assert.fail('the file was not refused');
}

describe('an import file', () => {
  it('returns each profile as written, and parsed or with its problem', () => {
    const good = { baseUrl, environment: 'test', dialect: { firstPage: 1 } };
    const found = readAll({ Main: good, Other: { baseUrl: 'http://host.example' } });
    const shown = found.map(({ entry, raw }) => [entry.name, entry.kind, raw]);
    const other = ['Other', 'bad', { baseUrl: 'http://host.example' }];
    assert.deepEqual(shown, [['Main', 'good', good], other]);
    const [, { entry } = assert.fail()] = found;
    assert.match(entry.kind === 'bad' ? entry.problem : '', /“Other”, baseUrl: The base URL must/);
  });

  it('can contain placeholders for secrets in headers and parameters', () => {
    const custom = {
      headers: { 'X-API-KEY': '{apiKey}', 'X-KEY-VERSION': '2', Authorization: 'Bearer {token}' },
      query: { apiKey: '{apiKey}', signature: '{signature}' },
      secretEncoding: 'base64',
    };
    const auth = { scheme: 'custom', keyHeader: 'X-KEY', passphraseHeader: 'X-PASS', custom };
    const [found] = readAll({ 'API key of mine': { baseUrl, auth } });
    assert.equal(found?.entry.kind, 'good');
  });

  const secret = 'MARKED0123456789';
  const inCustom = (custom: object) => ({ auth: { custom } });
  const pem = `-----BEGIN PRIVATE KEY-----\n${secret}`;
  const secrets = [
    ['Main.apiKey', { apiKey: secret }],
    ['Main.api_secret', { api_secret: secret }],
    ['Main.auth.apiSecret', { auth: { apiSecret: secret } }],
    ['Main.auth.password', { auth: { password: 7 } }],
    ['Main.credentials.a.0', { credentials: { a: [secret] } }],
    ['Main.auth.privateKey', { auth: { privateKey: secret } }],
    ['Main.note', { note: pem }],
    ['Main.…', { [pem]: '' }],
    ['Main.baseUrl', { baseUrl: `https://me:${secret}@host.example` }],
    ['Main.auth.custom.headers.X-API-KEY', inCustom({ headers: { 'X-API-KEY': secret } })],
    ['Main.auth.custom.headers.X-Auth', inCustom({ headers: { 'X-Auth': `Bearer ${secret}` } })],
    [
      'Main.auth.custom.headers.X-A',
      inCustom({ headers: { 'X-A': `bearer  ${secret}{timestamp}` } }),
    ],
    ['Main.auth.custom.query.token', inCustom({ query: { token: secret } })],
  ] as const;
  it('is refused, naming the field but not the value, if that looks like a secret', () => {
    for (const [path, fields] of secrets) {
      const sentence = refusal(JSON.stringify({ Fine: { baseUrl }, Main: { baseUrl, ...fields } }));
      const start = `“desk.json” seems to contain a secret at ${path}, so nothing`;
      assert.ok(sentence.startsWith(start), sentence);
      assert.doesNotMatch(sentence, /MARKED|BEGIN|7/);
    }
  });

  it('may have a short word in a header, but no secret of eight characters or more', () => {
    const file = (word: string): string =>
      JSON.stringify({ Main: { baseUrl, ...inCustom({ headers: { 'X-API-KEY': word } }) } });
    assert.match(refusal(file('MARKED01')), /seems to contain a secret/);
    assert.equal(read(file('VERSION')).length, 1);
  });

  it('is named but never quoted if it is damaged, has no profile or is too large', () => {
    for (const [text, reason] of [
      ['{"Main": {"baseUrl": "MARKED', /is not valid JSON/],
      ['{"Main": MARKED}', /is not valid JSON/],
      [Buffer.from([0xff, 0xfe, 0x00]), /is not valid JSON, so nothing/],
      ['', /is not valid JSON/],
      ['["MARKED"]', /is not an object with one field per profile/],
      ['{}', /is not an object with one field per profile/],
      [Buffer.alloc(maxImportBytes + 1, ' '), /is larger than 1 MB/],
    ] as const) {
      const sentence = refusal(text);
      assert.match(sentence, reason);
      assert.match(sentence, /^“desk\.json” /);
      assert.doesNotMatch(sentence, /MARKED/);
    }
  });

  it('cannot name a profile with an invisible character', () => {
    const characters = ['\u034f', '\u3164', '\ufe0f', '\u200b', '\u2800', '\ufe0e', '\u{e0100}'];
    for (const hidden of characters) {
      const [found] = readAll({ [`Practice${hidden}`]: { baseUrl } });
      const code = hidden.codePointAt(0)?.toString(16) ?? '';
      const named = `such as U+${code.toUpperCase().padStart(4, '0')}: remove them.`;
      const problem = found?.entry.kind === 'bad' ? found.entry.problem : '';
      assert.ok(problem.startsWith(`Profile “Practice\\u{${code}}”: `), problem);
      assert.ok(problem.endsWith(named), problem);
    }
  });

  it('is read with a byte order mark, and at the maximum depth', () => {
    assert.equal(read(`\ufeff{"Main":{"baseUrl":"${baseUrl}"}}`)[0]?.entry.kind, 'good');
    const deep = `{"Main":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    assert.equal(read(deep)[0]?.entry.kind, 'bad');
  });
});
