import { l10n } from 'vscode';
import { NoAccountError } from '../account/activeAccount.ts';
import { roundedAge } from '../account/freshness.ts';
import { environmentLabel, type Profile } from '../account/profile.ts';
import { cleanText } from '../base/cleanText.ts';
import { mask, type Display } from '../base/display.ts';
import type { Phrase } from '../base/phrase.ts';
import { unknownValue } from '../base/format.ts';
import { SentenceError } from '../base/sentenceError.ts';
import { ExchangeError, type Failure } from '../exchange/errors.ts';
import { operations } from '../exchange/operations.ts';
import { doingWords } from './doingWords.ts';

/** One sentence for a person: what went wrong and what to do. Never the text of an unknown error. */
export function sentenceFor(error: unknown, display: Display): string {
  if (error instanceof ExchangeError) return failureSentence(error.failure, display);
  if (error instanceof SentenceError) return inWords(error.sentence, display);
  if (error instanceof NoAccountError)
    return l10n.t('No account is open: run “Margin Desk: Try the Practice Exchange” first.');
  return l10n.t('Margin Desk met a problem of its own: run “Margin Desk: Show Log” to see where.');
}

/**
 * Words of another room in the language of this window; what the host said itself stays. Without a
 * display its numbers stand as they are to be typed.
 */
export function inWords(words: string | Phrase, display?: Display): string {
  if (typeof words === 'string') return words;
  const values = words.values.map((value) => {
    if (typeof value === 'object') return inWords(value, display);
    return typeof value === 'number' && display ? display.count(value) : value;
  });
  return l10n.t(words.text, ...values);
}

/** A server's string as part of a message: notifications would turn `[a](b)` into a link. */
export function quoted(text: string, maxLength?: number): string {
  return cleanText(text, maxLength).replaceAll('](', '] (');
}

/** What a screen reader says of a text that is shown: a masked figure is a word to it. */
export function aloud(text: string): string {
  return text.replaceAll(mask, l10n.t('hidden'));
}

/** How old figures are, rounded down: `40 s`, `3 min`, `5 h`; of Infinity, that nobody knows. */
export function ageWords(ageMs: number, display: Display): string {
  if (ageMs === Infinity) return l10n.t('an unknown time');
  const { count: number, unit } = roundedAge(ageMs);
  const count = display.count(number);
  switch (unit) {
    case 's':
      return l10n.t('{0} s', count);
    case 'min':
      return l10n.t('{0} min', count);
    case 'h':
      return l10n.t('{0} h', count);
    default:
      return unit satisfies never;
  }
}

/** `Name · ENVIRONMENT`, as it stands wherever figures stand. */
export function whose(profile: Pick<Profile, 'name' | 'environment'>): string {
  return `${quoted(profile.name)} · ${environmentLabel(profile)}`;
}

function failureSentence(failure: Failure, display: Display): string {
  const words = [
    whatHappened(failure, display),
    saidBesides(failure, display),
    cureFor(failure, display),
  ];
  return words.filter((sentence) => sentence !== '').join(' ');
}

function whatHappened(failure: Failure, display: Display): string {
  const doing = doingWords(failure.operation);
  const answer = answerWords(failure, display);
  const detail = quoted(inWords(failure.detail ?? '', display));
  const inBrackets = detail && ` (${detail})`;
  switch (failure.kind) {
    case 'configuration':
      return unsentWords(doing, detail);
    case 'auth':
      return l10n.t('The exchange did not accept the credentials for {0} ({1}).', doing, answer);
    case 'refused':
      return failure.status === 407
        ? l10n.t('A proxy wants a sign-in before it lets {0} through ({1}).', doing, answer)
        : l10n.t('The exchange refused {0} ({1}).', doing, answer);
    case 'rateLimited':
      if (failure.sent === 'no')
        return l10n.t('Nothing was sent for {0}: the limit leaves no weight for it now.', doing);
      return l10n.t('The exchange limits requests and did not answer {0} ({1}).', doing, answer);
    case 'network':
      if (failure.connection === 'certificate')
        return l10n.t('No safe connection could be made for {0}{1}.', doing, inBrackets);
      return l10n.t('The connection failed during {0}{1}.', doing, inBrackets);
    case 'timeout':
      if (failure.status === 408)
        return l10n.t('The exchange gave up on {0} ({1}).', doing, answer);
      return l10n.t('The exchange did not answer {0} in time.', doing);
    case 'server':
      return l10n.t('The exchange had a problem of its own during {0} ({1}).', doing, answer);
    case 'malformed':
      return detail === ''
        ? l10n.t('The answer to {0} is not what the interface promises.', doing)
        : l10n.t('The answer to {0} is not what the interface promises: {1}.', doing, detail);
    case 'tooLarge':
      return l10n.t('The answer to {0} is larger than {1} and was dropped.', doing, detail);
    case 'redirected':
      return l10n.t(
        'The exchange redirected {0} to {1}; it was not followed, so that no key goes there.',
        doing,
        detail,
      );
    default:
      return failure.kind satisfies never;
  }
}

/** A detail may be a sentence of its own. */
function unsentWords(doing: string, detail: string): string {
  if (detail === '') return l10n.t('Nothing was sent for {0}.', doing);
  return detail.endsWith('.')
    ? l10n.t('Nothing was sent for {0}. {1}', doing, detail)
    : l10n.t('Nothing was sent for {0}: {1}.', doing, detail);
}

/** What an exchange said beside an answer that is none; empty where it stands in the sentence anyway. */
function saidBesides(failure: Failure, display: Display): string {
  const { kind, serverWords, serverCode } = failure;
  const isSaid = kind !== 'malformed' && kind !== 'redirected';
  if (isSaid || (serverWords ?? serverCode) === undefined) return '';
  return l10n.t('It said: {0}.', answerWords(failure, display));
}

/** `HTTP 400, code -1121: “Invalid symbol.”`, as far as the exchange told. */
function answerWords({ status, serverCode, serverWords }: Failure, display: Display): string {
  const { t } = l10n;
  const number = status ?? unknownValue;
  const code = quoted(serverCode ?? '');
  const said = display.said(quoted(serverWords ?? ''));
  if (serverCode === undefined)
    return serverWords === undefined ? t('HTTP {0}', number) : t('HTTP {0}: “{1}”', number, said);
  return serverWords === undefined
    ? t('HTTP {0}, code {1}', number, code)
    : t('HTTP {0}, code {1}: “{2}”', number, code, said);
}

/** What to do about it; filters are to blame only where there are some. */
function cureFor(failure: Failure, display: Display): string {
  const isHistory = 'page' in operations[failure.operation].parameters;
  switch (failure.kind) {
    case 'configuration':
      // What it says names the cure.
      return failure.detail === undefined
        ? l10n.t('Check the profile by “Margin Desk: Edit Profile”.')
        : '';
    case 'auth':
      return l10n.t('Check the API key, its secret and its permissions.');
    case 'refused':
      if (failure.status === 407)
        return l10n.t('Check the proxy in VS Code’s settings, and the sign-in that it wants.');
      return isHistory
        ? l10n.t('Check the filters and the profile’s dialect.')
        : l10n.t('Check the base URL and what the API key may do.');
    case 'rateLimited':
      return waitWords(failure, display);
    case 'network':
      return failure.connection === 'certificate'
        ? l10n.t('Check the base URL, this machine’s time, and the certificates it trusts.')
        : l10n.t('Check the network and that the exchange runs, then refresh.');
    case 'timeout':
      return l10n.t('Check the network, then refresh.');
    case 'server':
      return l10n.t('Try again later.');
    case 'malformed':
      return failure.operation === 'cancelAll'
        ? l10n.t('Look at the exchange itself for what became of it.')
        : l10n.t('Check that the base URL is the exchange’s.');
    case 'tooLarge':
      return isHistory
        ? l10n.t('Ask for fewer rows.')
        : l10n.t('Check that the base URL is the exchange’s.');
    case 'redirected':
      return l10n.t(
        'Check the base URL; where the exchange has moved, “Margin Desk: Edit Profile” takes its new address.',
      );
    default:
      return failure.kind satisfies never;
  }
}

function waitWords({ retryAfterMs, sent }: Failure, display: Display): string {
  if (retryAfterMs === undefined) return l10n.t('Wait a minute, then refresh.');
  const seconds = display.count(Math.ceil(retryAfterMs / 1000));
  return sent === 'no'
    ? l10n.t('There is room in {0} s.', seconds)
    : l10n.t('It asks to wait {0} s.', seconds);
}
