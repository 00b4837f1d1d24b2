import { l10n } from 'vscode';
import { NoAccountError } from '../account/activeAccount.ts';
import { cleanText } from '../base/cleanText.ts';
import { SentenceError } from '../base/sentenceError.ts';
import { ExchangeError, type Failure } from '../exchange/errors.ts';
import type { OperationName } from '../exchange/operations.ts';

/** One sentence for a person: what went wrong and what to do. Never the text of an unknown error. */
export function sentenceFor(error: unknown): string {
  if (error instanceof ExchangeError) return failureSentence(error.failure);
  if (error instanceof SentenceError) return error.message;
  if (error instanceof NoAccountError)
    return l10n.t('No account is open: run “Margin Desk: Try the Practice Exchange” first.');
  return l10n.t('Margin Desk met a problem of its own: run “Margin Desk: Show Log” to see where.');
}

/** A server's string as part of a message: notifications would turn `[a](b)` into a link. */
export function quoted(text: string, maxLength?: number): string {
  return cleanText(text, maxLength).replaceAll('](', '] (');
}

function failureSentence(failure: Failure): string {
  const doing = doingWords(failure.operation);
  const said = failure.serverWords === undefined ? '' : `: “${quoted(failure.serverWords)}”`;
  const answer = `HTTP ${failure.status ?? '—'}${said}`;
  const detail = quoted(failure.detail ?? '');
  switch (failure.kind) {
    case 'configuration':
      return l10n.t('Margin Desk could not start {0}: {1}', doing, detail);
    case 'auth':
      return l10n.t(
        'The exchange did not accept the credentials for {0} ({1}). Check the API key, its secret and its permissions.',
        doing,
        answer,
      );
    case 'refused':
      return l10n.t('The exchange refused {0} ({1}). Check the filters.', doing, answer);
    case 'rateLimited':
      return l10n.t(
        'The exchange limits requests and refused {0} ({1}). {2}',
        doing,
        answer,
        waitWords(failure),
      );
    case 'network':
      return l10n.t(
        'The connection failed during {0} ({1}). Check the network and that the exchange runs, then refresh.',
        doing,
        detail,
      );
    case 'timeout':
      return l10n.t(
        'The exchange did not answer {0} in time. Check the network, then refresh.',
        doing,
      );
    case 'server':
      return l10n.t(
        'The exchange had a problem of its own during {0} ({1}). Try again later.',
        doing,
        answer,
      );
    case 'malformed':
      return l10n.t(
        'The answer to {0} is not what the interface promises: {1}. Check that the base URL is the exchange’s.',
        doing,
        detail,
      );
    case 'tooLarge':
      return l10n.t(
        'The answer to {0} is larger than {1} and was dropped. Ask for fewer rows.',
        doing,
        detail,
      );
    case 'redirected':
      return l10n.t(
        'The exchange redirected {0} to {1}; it was not followed, so that no key goes there. Check the base URL.',
        doing,
        detail,
      );
    default:
      return failure.kind satisfies never;
  }
}

function waitWords({ retryAfterMs }: Failure): string {
  return retryAfterMs === undefined
    ? l10n.t('Wait a minute, then refresh.')
    : l10n.t('It asks to wait {0} s.', Math.ceil(retryAfterMs / 1000));
}

function doingWords(operation: OperationName): string {
  switch (operation) {
    case 'accounts':
      return l10n.t('reading the account');
    case 'orders':
      return l10n.t('reading the order history');
    case 'trades':
      return l10n.t('reading the trade history');
    case 'lots':
      return l10n.t('reading the liquidation lots');
    case 'transactions':
      return l10n.t('reading the transactions');
    case 'leverage':
      return l10n.t('reading the leverage rules');
    case 'feeTiers':
      return l10n.t('reading the fee tiers');
    case 'exchangeInfo':
      return l10n.t('reading exchange information');
    case 'cancelAll':
      return l10n.t('cancelling all open orders');
    default:
      return operation satisfies never;
  }
}
