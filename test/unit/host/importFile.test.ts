import assert from 'node:assert/strict';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { maxImportBytes, readImport } = await import('../../../src/host/profiles/importFile.ts');

const baseUrl = 'https://host.example';
const read = (text: string) => readImport('desk.json', Buffer.from(text));
const readAll = (profiles: unknown) => read(JSON.stringify(profiles));

/** The sentence of a file that is refused as a whole. */
function refusal(text: string | Buffer): string {
  try {
    readImport('desk.json', Buffer.from(text));
  } catch (error) {
    if (error instanceof Error && error.name === 'SentenceError') return error.message;
    throw error;
  }
  return assert.fail('the file was not refused');
}

describe('an import file', () => {
  it('gives each profile as it is written, and as it is read or why it cannot be', () => {
    const good = { baseUrl, environment: 'test', dialect: { firstPage: 1 } };
    const found = readAll({ Main: good, Other: { baseUrl: 'http://host.example' } });
    assert.deepEqual(
      found.map(({ entry, written }) => [entry.name, entry.kind, written]),
      [
        ['Main', 'good', good],
        ['Other', 'bad', { baseUrl: 'http://host.example' }],
      ],
    );
    const [, { entry } = assert.fail()] = found;
    assert.match(entry.kind === 'bad' ? entry.problem : '', /“Other”, baseUrl: The base URL must/);
  });

  it('may name what headers and parameters of a custom scheme carry', () => {
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
  const pem = `-----BEGIN PRIVATE KEY-----\n${secret}`;
  for (const [path, fields] of [
    ['Main.apiKey', { apiKey: secret }],
    ['Main.api_secret', { api_secret: secret }],
    ['Main.auth.apiSecret', { auth: { apiSecret: secret } }],
    ['Main.auth.password', { auth: { password: 7 } }],
    ['Main.credentials.a.0', { credentials: { a: [secret] } }],
    ['Main.auth.privateKey', { auth: { privateKey: secret } }],
    ['Main.note', { note: pem }],
    ['Main.…', { [pem]: '' }],
    ['Main.baseUrl', { baseUrl: `https://me:${secret}@host.example` }],
    [
      'Main.auth.custom.headers.X-API-KEY',
      { auth: { custom: { headers: { 'X-API-KEY': secret } } } },
    ],
    ['Main.auth.custom.query.token', { auth: { custom: { query: { token: secret } } } }],
  ] as const)
    it(`is refused, naming ${path} and no value, where that looks like a secret`, () => {
      const sentence = refusal(JSON.stringify({ Fine: { baseUrl }, Main: { baseUrl, ...fields } }));
      assert.ok(
        sentence.startsWith(`“desk.json” has what looks like a secret at ${path}: nothing`),
      );
      assert.doesNotMatch(sentence, /MARKED|BEGIN|7/);
    });

  for (const [name, text, told] of [
    ['is cut off', '{"Main": {"baseUrl": "MARKED', /is damaged, or no JSON/],
    ['has a word too many', '{"Main": MARKED}', /is damaged, or no JSON/],
    ['is no text', Buffer.from([0xff, 0xfe, 0x00]), /is damaged, or no JSON: nothing/],
    ['is empty', '', /is damaged, or no JSON/],
    ['is a list', '["MARKED"]', /is no object with a field for each profile/],
    ['has no profile', '{}', /is no object with a field for each profile/],
    ['is huge', Buffer.alloc(maxImportBytes + 1, ' '), /is larger than 1 MB/],
  ] as const)
    it(`is named and quoted nowhere where it ${name}`, () => {
      const sentence = refusal(text);
      assert.match(sentence, told);
      assert.match(sentence, /^“desk\.json” /);
      assert.doesNotMatch(sentence, /MARKED/);
    });

  it('is read with a byte order mark, and in the depth of the worst file', () => {
    assert.equal(read(`\ufeff{"Main":{"baseUrl":"${baseUrl}"}}`)[0]?.entry.kind, 'good');
    const deep = `{"Main":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    assert.equal(read(deep)[0]?.entry.kind, 'bad');
  });
});
