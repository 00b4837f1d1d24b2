import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { phrase } from '../../../../src/base/phrase.ts';
import { ExchangeError, type Failure } from '../../../../src/exchange/exchangeError.ts';
import { LedgerError, type LedgerProblem } from '../../../../src/ledger/ledgerError.ts';
import { errorText, readFailureText } from '../../../../src/host/text/failureText.ts';
import { nextTryText } from '../../../../src/host/text/signInHelp.ts';
import { toRpcFailure } from '../../../../src/host/webview/requestFailure.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { aDisplay } from '../../../support/display.ts';

type Facts = Pick<Failure, 'kind' | 'operation'> & Partial<Failure>;

const now = 1_763_632_800_000;
const words = { serverWords: 'Closed at 12000' } as const;
const size = phrase('{0} MB', 8);
const link = '[x](command:quit)\u202e\u0007';

const ledgerProblems: readonly LedgerProblem[] = [
  ...(['unsupported', 'missing', 'newer', 'notALedger', 'damaged', 'full'] as const),
  ...(['forbidden', 'busy', 'otherWriter', 'unknownWalk', 'ended', 'other'] as const),
];

const failures: readonly Facts[] = [
  { kind: 'timeout', operation: 'accounts', sent: 'no' },
  { kind: 'timeout', operation: 'accounts', sent: 'maybe' },
  { kind: 'timeout', operation: 'orders', status: 408, serverWords: 'too slow' },
  { kind: 'timeout', operation: 'lots', status: 408 },
  { kind: 'network', operation: 'accounts', sent: 'maybe' },
  { kind: 'network', operation: 'accounts', detail: 'EPIPE' },
  { kind: 'auth', operation: 'accounts', status: 401, ...words, serverCode: '-2019' },
  { kind: 'auth', operation: 'lots', status: 403, isFromGateway: true },
  { kind: 'refused', operation: 'trades', status: 400 },
  { kind: 'refused', operation: 'orders', status: 407 },
  { kind: 'refused', operation: 'orders', status: 451 },
  { kind: 'rateLimited', operation: 'lots', status: 429, retryAfterMs: 2500 },
  { kind: 'rateLimited', operation: 'lots', status: 429 },
  { kind: 'rateLimited', operation: 'lots', status: 429, retryAfterMs: 7_200_000 },
  { kind: 'rateLimited', operation: 'lots', sent: 'no', retryAfterMs: 7_200_000 },
  { kind: 'server', operation: 'feeTiers', status: 500 },
  { kind: 'tooLarge', operation: 'trades', status: 200, detail: size },
  { kind: 'tooLarge', operation: 'feeTiers', status: 200, detail: size },
  { kind: 'redirected', operation: 'accounts', status: 302, detail: 'elsewhere.example' },
  { kind: 'redirected', operation: 'accounts', status: 302, detail: phrase('another path') },
  { kind: 'redirected', operation: 'accounts', status: 302, detail: link },
  { kind: 'malformed', operation: 'accounts', status: 200, ...words, detail: phrase('not JSON') },
  { kind: 'malformed', operation: 'cancelAll', detail: 'HTTP 202' },
  { kind: 'configuration', operation: 'accounts', sent: 'no' },
  {
    ...{ kind: 'configuration', operation: 'accounts', sent: 'no' },
    detail: phrase('The API key is empty: enter it again.'),
  },
  {
    ...{ kind: 'configuration', operation: 'accounts', sent: 'no' },
    detail: phrase('its weight is too much: raise the share'),
  },
];

const errorOf = (facts: Facts): ExchangeError => new ExchangeError({ sent: 'yes', ...facts });

describe('the text of a failure', () => {
  it('says what happened, never more than is known, and what to do', () => {
    const lines = failures.map((facts) => {
      const { kind, operation, status = '—' } = facts;
      return `${kind} ${operation} ${status}: ${errorText(errorOf(facts), aDisplay())}`;
    });
    lines.push(`unexpected: ${errorText(new Error('secret detail'), aDisplay())}`);
    assertApprovedLines('text/failures', lines);
  });

  it('is the reason of a question that could not show current figures', () => {
    const lines = failures.map((facts) => readFailureText(errorOf(facts).failure, aDisplay()));
    assertApprovedLines('text/reasons', lines);
  });

  it('is in a table page with when to try again, or with what to do about a refused sign-in', () => {
    const lines = failures.map((facts) => {
      const failure = toRpcFailure(errorOf(facts), now, aDisplay());
      const { kind, sentence, retryAt, signIn = [] } = failure;
      const titles = signIn.map(({ title }) => title).join(', ');
      return [kind, sentence, retryAt === undefined ? '—' : retryAt - now, titles].join(' | ');
    });
    lines.push(toRpcFailure(new Error('secret detail'), now, aDisplay()).sentence);
    assertApprovedLines('text/requestFailures', lines);
  });

  it('of a ledger says why it could not be used, and what to do', () => {
    const file = '/folder/[x](command:quit).sqlite';
    const lines = ledgerProblems.map((problem) =>
      errorText(new LedgerError(problem, 'SQLite 5', { file }), aDisplay()),
    );
    assertApprovedLines('text/ledgerProblems', lines);
  });

  it('masks figures in the words of the exchange in privacy mode', () => {
    const facts = { kind: 'malformed', operation: 'accounts', status: 200, ...words } as const;
    assert.match(errorText(errorOf(facts), aDisplay({ hidesMoney: true })), /“Closed at •••”/);
  });

  it('does not claim that nothing was cancelled after a cancel-all', () => {
    for (const kind of ['timeout', 'network', 'server', 'malformed', 'auth', 'refused'] as const) {
      const facts = { kind, operation: 'cancelAll', sent: 'maybe' } as const;
      assert.match(errorText(errorOf(facts), aDisplay()), /^Cancel-all: the /);
    }
  });
});

describe('the time until the next try', () => {
  it('is in seconds below two minutes, then in minutes, and none while the account is read', () => {
    const textOf = (nextReadInMs: number): string =>
      nextTryText({ refresher: { nextReadInMs } }, aDisplay());
    assert.deepEqual([22_001, 119_000, 119_001, 4_798_000, NaN].map(textOf), [
      'Next try in 23 s.',
      'Next try in 119 s.',
      'Next try in 2 min.',
      'Next try in 80 min.',
      '',
    ]);
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
    const words = /\bfailure\.kind\b|\bnew ExchangeError\b|\.serverWords\b/;
    assert.deepEqual(filesWith(words), ['text/failureText.ts']);
    assert.deepEqual(filesWith(/instanceof (?:NoAccountError|ExportFileError|ExchangeError)\b/), [
      'export/exportCommand.ts', // asks for another folder
      'profiles/profileCommands.ts', // the views show it
      'shared/log.ts', // logs facts, not words
      'text/commandErrors.ts', // suggests a command
      'text/failureText.ts',
      'webview/requestFailure.ts',
    ]);
  });
});
