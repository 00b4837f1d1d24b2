import assert from 'node:assert/strict';
import type { Credentials } from '../../../src/exchange/auth/scheme.ts';
import { Teller } from '../../../src/exchange/telling.ts';

const credentials = { apiKey: 'MARKED-key-1f3a', apiSecret: 'MARKED-secret-9c2e' };

const tellable = (text: string, held: Credentials): string => new Teller(held).text(text);

describe('what is told of a server’s text', () => {
  it('is free of what cannot be seen and of markup, and ends after 300 characters', () => {
    const words =
      'bad\u202e \u200b<b class="x">key</b><img src=x onerror=alert(1)>\u0007 a<b and c>d';
    assert.equal(tellable(words, credentials), 'bad   key  a<b and c>d');
    assert.equal(tellable('word '.repeat(1000), credentials).length, 300);
  });

  it('holds no credential, also not one that markup parts, or that has markup in it', () => {
    for (const text of ['key MARKED-key-1f3a', 'key MARKED-<b>key</b>-1f3a'])
      assert.doesNotMatch(tellable(text, credentials), /MARKED-key|key-1f3a/);
    const tagged = { passphrase: 'before<b>after' };
    assert.doesNotMatch(tellable('it was before<b>after', tagged), /before|after/);
  });

  it('holds no half of a credential, wherever a long text is cut', () => {
    for (let cut = 16_384 - 20; cut <= 16_384; cut += 1) {
      const text = `${'\u200b'.repeat(cut)}MARKED-secret-9c2e${' '.repeat(10)}`;
      assert.doesNotMatch(tellable(text, credentials), /M|secret/);
    }
  });

  it('is bounded for every text of a failure, the code shorter than the words', () => {
    const long = 'word '.repeat(1000);
    const { failure } = new Teller(credentials).error({
      kind: 'refused',
      sent: 'yes',
      operation: 'accounts',
      serverWords: long,
      serverCode: long,
    });
    assert.equal(failure.serverWords?.length, 300);
    assert.equal(failure.serverCode?.length, 60);
    assert.ok(!('detail' in failure));
  });
});
