import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { phrase } from '../../../../src/base/phrase.ts';
import { ExchangeError, type Failure } from '../../../../src/exchange/exchangeError.ts';
import { aDisplay } from '../../../support/display.ts';
import { errorText, readFailureText } from '../../../../src/host/text/failureText.ts';

const textOf = (failure: Pick<Failure, 'kind' | 'operation'> & Partial<Failure>): string =>
  errorText(new ExchangeError({ sent: 'yes', ...failure }), aDisplay());

describe('the text of a timeout', () => {
  it('distinguishes our timeout from that of the exchange', () => {
    assert.equal(
      textOf({ kind: 'timeout', operation: 'accounts', sent: 'maybe' }),
      'Could not read the account: the exchange did not answer in time. Check the network, then refresh.',
    );
    assert.equal(
      textOf({ kind: 'timeout', operation: 'orders', status: 408, serverWords: 'too slow' }),
      'Could not read the order history: the exchange timed out (HTTP 408: “too slow”). Check the network, then refresh.',
    );
    assert.equal(
      textOf({ kind: 'timeout', operation: 'lots', status: 408 }),
      'Could not read the liquidation auctions: the exchange timed out (HTTP 408). Check the network, then refresh.',
    );
  });
});

describe('the reason of a plan that could not be read', () => {
  const reasonOf = (sent: 'no' | 'maybe'): string =>
    readFailureText({ kind: 'timeout', operation: 'accounts', sent }, aDisplay());

  it('blames the exchange for a timeout only if something was sent', () => {
    assert.equal(reasonOf('maybe'), 'the exchange did not answer in time');
    assert.equal(reasonOf('no'), 'it could not be sent in time');
  });
});

describe('the text of a refused history', () => {
  it('names the command that finds the conventions of the exchange', () => {
    assert.equal(
      textOf({ kind: 'refused', operation: 'trades', status: 400 }),
      'Could not read the trade history: the exchange refused the request (HTTP 400). Check the filters, or run “Margin Desk: Test Connection” to check the API conventions.',
    );
  });
});

describe('the text of a failed cancel-all', () => {
  it('does not claim that nothing was cancelled', () => {
    for (const kind of ['timeout', 'network', 'server', 'malformed', 'auth', 'refused'] as const)
      assert.match(textOf({ kind, operation: 'cancelAll', sent: 'maybe' }), /^Cancel-all: the /);
  });
});

describe('the text of a response that is too large', () => {
  const detail = phrase('{0} MB', 8);

  it('suggests fewer rows for a history', () => {
    assert.equal(
      textOf({ kind: 'tooLarge', operation: 'trades', status: 200, detail }),
      'Could not read the trade history: the response is larger than 8 MB and was dropped. Request fewer rows.',
    );
  });

  it('suggests checking the base URL for any other failure', () => {
    assert.equal(
      textOf({ kind: 'tooLarge', operation: 'feeTiers', status: 200, detail }),
      'Could not read the fee tiers: the response is larger than 8 MB and was dropped. Check the base URL.',
    );
  });
});

describe('the text of a redirect', () => {
  const redirectTo = (detail: NonNullable<Failure['detail']>): string =>
    textOf({ kind: 'redirected', operation: 'cancelAll', status: 302, detail });
  const advice =
    'The redirect was not followed, so no key was sent there. Check the base URL. If the exchange has moved, change it with “Margin Desk: Edit Profile…”.';

  it('names the host and says that no key was sent', () => {
    assert.equal(
      redirectTo('elsewhere.example'),
      `Cancel-all: the exchange redirected the request to elsewhere.example. ${advice}`,
    );
  });

  it('says so if the redirect names no host', () => {
    for (const place of ['another path', 'an unnamed place'])
      assert.equal(
        redirectTo(phrase(place)),
        `Cancel-all: the exchange redirected the request to ${place}. ${advice}`,
      );
  });

  it('contains no link, for any host name', () => {
    assert.match(redirectTo('[x](command:quit)\u202e\u0007'), / to \[x\] \(command:quit\)\. /);
  });
});

describe('errors become words', () => {
  const root = join(import.meta.dirname, '../../../../src/host');
  const filesWith = (pattern: RegExp): string[] =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
      .sort();

  it('in failureText.ts only: no other file distinguishes the kinds of failure', () => {
    assert.deepEqual(filesWith(/\bfailure\.kind\b|\bnew ExchangeError\b|\.serverWords\b/), [
      'text/failureText.ts',
    ]);
    assert.deepEqual(filesWith(/instanceof NoAccountError\b/), [
      'text/commandErrors.ts', // suggests a command
      'text/failureText.ts',
    ]);
    assert.deepEqual(filesWith(/instanceof ExportFileError\b/), [
      'export/exportCommand.ts', // asks for another folder
      'text/failureText.ts',
    ]);
  });

  it('with a feature’s own sentence at most before or after them', () => {
    assert.deepEqual(filesWith(/instanceof ExchangeError\b/), [
      'profiles/profileCommands.ts', // the views show it
      'shared/log.ts', // logs facts, not words
      'text/failureText.ts',
      'webview/requestFailure.ts',
    ]);
  });
});
