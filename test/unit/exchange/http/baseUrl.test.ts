import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../../src/exchange/http/baseUrl.ts';

describe('the base URL', () => {
  it('drops trailing slashes and keeps the path prefix', () => {
    assert.equal(parseBaseUrl('https://host.example/'), 'https://host.example');
    assert.equal(parseBaseUrl('https://host.example/a/b//'), 'https://host.example/a/b');
  });

  it('may be http on this machine only', () => {
    for (const host of ['localhost:1', '127.0.0.1:2', '127.9.9.9', '[::1]:3'])
      assert.equal(parseBaseUrl(`http://${host}`), `http://${host}`);
    for (const host of ['host.example', '127.0.0.1.evil.example', 'localhost.evil.example'])
      assert.throws(() => parseBaseUrl(`http://${host}`), /must begin with https/);
  });

  it('is refused with a sentence that names the part at fault and repeats none of it', () => {
    const cases: [string, RegExp][] = [
      ['exchange', /is not a URL/],
      ['ftp://host.example', /must begin with https/],
      ['https://user:hunter2@host.example', /user name or password/],
      ['https://host.example/?key=hunter2', /query or fragment/],
      ['https://host.example/#hunter2', /query or fragment/],
    ];
    for (const [text, message] of cases)
      assert.throws(
        () => parseBaseUrl(text),
        (error: Error) => message.test(error.message) && !error.message.includes('hunter2'),
      );
  });
});
