import { ExportFileError } from '../../account/export/exportFileError.ts';
import { NoAccountError } from '../../account/session/activeAccount.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { ExchangeError, longPauseMs, type Failure } from '../../exchange/exchangeError.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import { operations, type OperationName } from '../../api/operations.ts';
import type { RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import { t } from '../shared/translate.ts';
import { ageText, joined, localized, untrustedText } from './messageText.ts';

/** A read of the open account: buttons beside the text offer what to do about a refused sign-in. */
type ReadAccount = { readonly hasWorked: boolean };

/** Every error as text for the user: what went wrong and what to do. Never the text of an unknown error. */
export function errorText(error: unknown, display: Display, account?: ReadAccount): string {
  if (error instanceof ExchangeError) return exchangeFailureText(error.failure, display, account);
  if (error instanceof UserFacingError) return localized(error.userMessage, display);
  if (error instanceof ExportFileError) return exportFileErrorText(error);
  if (error instanceof LedgerError) return ledgerErrorText(error);
  if (error instanceof NoAccountError)
    return t('No account is open. Run “Margin Desk: Open Practice Account” first.');
  return t('Something went wrong in Margin Desk. Run “Margin Desk: Show Log” for details.');
}

/** The same for a failure that was stored, as in a receipt. */
export function exchangeFailureText(
  failure: Failure,
  display: Display,
  account?: ReadAccount,
): string {
  return joined(withoutAdvice(failure, display), adviceText(failure, display, account));
}

/** What went wrong, without what to do: a countdown beside it says when to try again. */
export function withoutAdvice(failure: Failure, display: Display): string {
  return joined(causeText(failure, display), serverMessageText(failure, display));
}

/** The start of the sentence. A cancel-all may have worked, so nothing says that it did not. */
function operationText(operation: OperationName): string {
  return {
    accounts: t('Could not read the account'),
    orders: t('Could not read the order history'),
    trades: t('Could not read the trade history'),
    lots: t('Could not read the liquidation auctions'),
    transactions: t('Could not read the transaction history'),
    leverage: t('Could not read the leverage rules'),
    feeTiers: t('Could not read the fee tiers'),
    exchangeInfo: t('Could not read exchange information'),
    cancelAll: t('Cancel-all'),
  }[operation];
}

/** What the status of an answer, or that a gateway sent it, says instead of its kind. */
function textsOfAnswer(
  failure: Failure,
  display: Display,
  account?: ReadAccount,
): { readonly cause?: string; readonly advice?: string } {
  if (failure.kind === 'rateLimited') return {};
  const start = operationText(failure.operation);
  const response = responseText(failure, display);
  if (failure.status === 407)
    return {
      cause: t('{0}: the proxy requires sign-in ({1}).', start, response),
      advice: t('Check the proxy settings of VS Code and the sign-in that the proxy requires.'),
    };
  const mayBlock = joined(
    t(
      'It may block your region, a VPN or too many requests: try again later or from another network.',
    ),
    account?.hasWorked ? '' : t('Otherwise check the base URL.'),
  );
  if (isAnsweredByGateway(failure))
    return {
      cause: t('{0}: a gateway seems to have answered, not the exchange ({1}).', start, response),
      advice: mayBlock,
    };
  if (failure.status === 408)
    return { cause: t('{0}: the exchange timed out ({1}).', start, response) };
  return failure.status === 451 ? { advice: mayBlock } : {};
}

function causeText(failure: Failure, display: Display): string {
  const start = operationText(failure.operation);
  const response = responseText(failure, display);
  const detail = untrustedText(localized(failure.detail ?? '', display));
  const inBrackets = detail && ` (${detail})`;
  const isUnsent = failure.sent === 'no';
  const { cause } = textsOfAnswer(failure, display);
  if (cause !== undefined) return cause;
  return {
    configuration: notSentText(start, detail),
    auth: t('{0}: the exchange rejected the credentials ({1}).', start, response),
    refused: t('{0}: the exchange refused the request ({1}).', start, response),
    rateLimited: isUnsent
      ? t('{0}: not sent, because the rate limit leaves no weight for it now.', start)
      : t('{0}: rate limited by the exchange ({1}).', start, response),
    network:
      failure.connection === 'certificate'
        ? t('{0}: no secure connection{1}.', start, inBrackets)
        : t('{0}: the connection failed{1}.', start, inBrackets),
    timeout: isUnsent
      ? t('{0}: it could not be sent in time.', start)
      : t('{0}: the exchange did not answer in time.', start),
    server: t('{0}: the exchange returned an error ({1}).', start, response),
    malformed:
      detail === ''
        ? t('{0}: the response does not match the API.', start)
        : t('{0}: the response does not match the API: {1}.', start, detail),
    tooLarge: t('{0}: the response is larger than {1} and was dropped.', start, detail),
    redirected: t(
      '{0}: the exchange redirected the request to {1}. The redirect was not followed, so no key was sent there.',
      start,
      detail,
    ),
  }[failure.kind];
}

/** Over the limit, a redirect and a proxy's sign-in say more than who answered. */
function isAnsweredByGateway({ kind, status, isFromGateway = false }: Failure): boolean {
  const isSpecific = ['rateLimited', 'redirected', 'malformed'].includes(kind) || status === 407;
  return isFromGateway && !isSpecific;
}

/** The detail can be a sentence. */
function notSentText(start: string, detail: string): string {
  if (detail === '') return t('{0}: nothing was sent.', start);
  return detail.endsWith('.')
    ? t('{0}: nothing was sent. {1}', start, detail)
    : t('{0}: nothing was sent: {1}.', start, detail);
}

/** The message of the exchange, if `causeText` does not have it yet. */
function serverMessageText(failure: Failure, display: Display): string {
  const { kind, serverWords, serverCode } = failure;
  const isInCause = kind !== 'malformed' && kind !== 'redirected';
  if (isInCause || (serverWords ?? serverCode) === undefined) return '';
  return t('The exchange returned {0}.', responseText(failure, display));
}

/** Why the account could not be read before a cancel-all, as a part of a sentence. */
export function readFailureText(failure: Failure, display: Display): string {
  const response = responseText(failure, display);
  if (isAnsweredByGateway(failure)) return t('a gateway seems to have answered: {0}', response);
  const isUnsent = failure.sent === 'no';
  const undecodable = t('the answer could not be decoded');
  return {
    ...{ auth: response, refused: response, server: response },
    ...{ malformed: undecodable, tooLarge: undecodable },
    rateLimited: isUnsent ? t('the rate limit has no room for it') : response,
    timeout: isUnsent
      ? t('it could not be sent in time')
      : t('the exchange did not answer in time'),
    network: t('the connection failed'),
    redirected: t('the exchange redirected the request'),
    configuration: t('the request could not be made'),
  }[failure.kind];
}

/** `HTTP 400, code -1121: “Invalid symbol.”`, as far as it is known. */
function responseText({ status, serverCode, serverWords }: Failure, display: Display): string {
  const number = status ?? unknownText;
  const code = untrustedText(serverCode ?? '');
  const message = display.serverText(untrustedText(serverWords ?? ''));
  if (serverCode === undefined)
    return serverWords === undefined
      ? t('HTTP {0}', number)
      : t('HTTP {0}: “{1}”', number, message);
  return serverWords === undefined
    ? t('HTTP {0}, code {1}', number, code)
    : t('HTTP {0}, code {1}: “{2}”', number, code, message);
}

/** Until when the exchange wants no requests, and what a person can do if that is long; empty if it wants no pause. */
export function pauseText(
  { at, pausedUntil }: Pick<RateLimitUsage, 'at' | 'pausedUntil'>,
  display: Display,
): string {
  if (pausedUntil === undefined) return '';
  const until = t('Paused by the exchange until {0}.', display.timeToSecond(pausedUntil));
  return pausedUntil - at > longPauseMs
    ? joined(until, t('“Retry” sends one request before that.'))
    : until;
}

function retryAdvice(afterMs: number | undefined, display: Display): string {
  if (afterMs === undefined) return t('Wait a minute, then refresh.');
  return afterMs > longPauseMs
    ? t('Try again in {0}.', ageText(afterMs, display))
    : t('Try again in {0} s.', display.count(Math.ceil(afterMs / 1000)));
}

/** What to do about it. */
function adviceText(failure: Failure, display: Display, account?: ReadAccount): string {
  const checkAddress = account?.hasWorked ? t('Try again later.') : t('Check the base URL.');
  const isHistory = 'page' in operations[failure.operation].parameters;
  const { advice } = textsOfAnswer(failure, display, account);
  if (advice !== undefined) return advice;
  return {
    // A detail says what to do.
    configuration:
      failure.detail === undefined ? t('Check the profile with “Margin Desk: Edit Profile…”.') : '',
    auth: account ? '' : t('Check the API key, its secret and its permissions.'),
    refused: isHistory
      ? t('Check the filters, or run “Margin Desk: Test Connection” to check the API conventions.')
      : t('Check the base URL and the permissions of the API key.'),
    rateLimited: retryAdvice(failure.retryAfterMs, display),
    network:
      failure.connection === 'certificate'
        ? t('Check the base URL, the clock of this machine and the certificates that it trusts.')
        : t('Check the network and whether the exchange is running, then refresh.'),
    timeout: t('Check the network, then refresh.'),
    server: t('Try again later.'),
    malformed:
      failure.operation === 'cancelAll'
        ? t('Check your open orders at the exchange.')
        : checkAddress,
    tooLarge: isHistory ? t('Request fewer rows.') : checkAddress,
    redirected: t(
      'Check the base URL. If the exchange has moved, change it with “Margin Desk: Edit Profile…”.',
    ),
  }[failure.kind];
}

function exportFileErrorText({ problem, location, code }: ExportFileError): string {
  const folder = location === 'target' ? t('the chosen folder') : t('the extension’s own folder');
  const forbidden =
    location === 'target'
      ? t('The file could not be written. Close it in other programs, or export to another folder.')
      : t('No permission to write files in {0}. Check its permissions.', folder);
  return {
    full: t('The disk of {0} is full. Free some space, then resume.', folder),
    forbidden,
    missing: t('A file or folder that the export needs is missing in {0}.', folder),
    other: t('The system could not write in {0} ({1}).', folder, code),
  }[problem];
}

/** Why a ledger could not be used, and what to do. */
export function ledgerErrorText({ problem, code, file }: LedgerError): string {
  const closed = t('The ledger was closed. Try again.');
  return {
    unsupported: t('The ledger needs SQLite, which this version of VS Code does not have.'),
    missing: t('The ledger file is gone. Run “Margin Desk: Download History…” again.'),
    newer: t(
      'A newer version of Margin Desk wrote the ledger {0}. It stays as it is: update the extension.',
      untrustedText(file, 500),
    ),
    notALedger: t('The file is not a ledger. Choose a file of “Margin Desk: Back Up Ledger…”.'),
    damaged: t('The ledger file is damaged. It is set aside, and a new one is started.'),
    full: t('The disk is full. Free some space, then try again.'),
    forbidden: t('No permission to use the file or its folder. Check their permissions.'),
    busy: t('Another program uses the ledger file. Try again.'),
    otherWriter: t('Another window is using this ledger. Continue there, or close that window.'),
    ...{ unknownWalk: closed, ended: closed },
    other: t('The system could not use the ledger file ({0}).', code),
  }[problem];
}
