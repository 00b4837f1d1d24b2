import assert from 'node:assert/strict';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import { parseLink } from '../../../../src/host/tables/panel.ts';
import { toRpcFailure } from '../../../../src/host/webview/requestFailure.ts';
import { aDisplay } from '../../../support/display.ts';

describe('the failure that a table page receives', () => {
  const now = 1_000_000;
  const failure = { kind: 'rateLimited', sent: 'yes', operation: 'lots', status: 429 } as const;
  const failureOf = (error: unknown) => toRpcFailure(error, now, aDisplay());

  it('has the kind, a sentence that names the table, and the time to retry', () => {
    const { kind, sentence, retryAt } = failureOf(
      new ExchangeError({ ...failure, retryAfterMs: 2500 }),
    );
    assert.deepEqual([kind, retryAt], ['rateLimited', now + 2500]);
    // A countdown says when to try again.
    assert.match(
      sentence,
      /read the liquidation auctions: rate limited by the exchange \(HTTP 429\)\.$/,
    );
    assert.equal(failureOf(new ExchangeError(failure)).retryAt, now + 60_000);
    const refused = new ExchangeError({ ...failure, kind: 'refused' });
    assert.equal(failureOf(refused).retryAt, undefined);
  });

  it('has no countdown in a pause of more than 15 minutes, but its end, and that Retry works', () => {
    const paused = new ExchangeError({ ...failure, retryAfterMs: 7_200_000 });
    const { sentence, retryAt } = failureOf(paused);
    assert.equal(retryAt, undefined);
    const end = aDisplay().timeToSecond(String(now + 7_200_000));
    assert.ok(sentence.endsWith(`until ${end}. “Retry” sends one request before that.`), sentence);
    const full = new ExchangeError({ ...failure, sent: 'no', retryAfterMs: 7_200_000 });
    assert.match(failureOf(full).sentence, /Try again in 2 h\.$/);
  });

  it('offers what to do about a refused sign-in, but not about a gateway', () => {
    const refused = { ...failure, kind: 'auth', status: 403 } as const;
    const { kind, signIn = [] } = failureOf(new ExchangeError(refused));
    assert.deepEqual(
      [kind, ...signIn.map(({ title }) => title)],
      ['auth', 'Set Credentials…', 'Test Connection'],
    );
    const byGateway = failureOf(new ExchangeError({ ...refused, isFromGateway: true }));
    assert.deepEqual([byGateway.kind, byGateway.signIn], ['refused', undefined]);
  });

  it('has no text of an unexpected error', () => {
    const received = failureOf(new Error('secret detail'));
    assert.deepEqual(Object.keys(received), ['kind', 'sentence']);
    assert.doesNotMatch(received.sentence, /secret/);
  });
});

describe('a link of the exchange', () => {
  it('is an https URL, with its host in ASCII and no invisible character', () => {
    const { host, href } = parseLink('https://ex\u00e4mple.com:8443/tx/a\u202eb?q=1', aDisplay());
    assert.equal(host, 'xn--exmple-cua.com:8443');
    assert.equal(href, 'https://xn--exmple-cua.com:8443/tx/a%E2%80%AEb?q=1');
  });

  for (const [what, link, message] of [
    ['http', 'http://host.example/', /only https links/],
    ['a command', 'command:workbench.action.quit', /only https links/],
    ['a script after a line break', 'java\nscript:alert(1)', /only https links/],
    ['a file', 'file:///etc/passwd', /only https links/],
    ['Markdown', '[x](command:quit)', /only https links/],
    ['a user name', 'https://bank.example@evil.example/', /contains a user name/],
    ['only a password', 'https://:secret@evil.example/', /contains a user name/],
    ['a very long URL', `https://host.example/${'x'.repeat(2000)}`, /longer than 2,000/],
  ] as const)
    it(`is refused: ${what}`, () => {
      assert.throws(() => parseLink(link, aDisplay()), { name: 'UserFacingError', message });
    });
});
