import { cleanText, withoutMarkup } from '../base/cleanText.ts';
import type { Phrase } from '../base/phrase.ts';
import { scrubberOf } from './auth/scrub.ts';
import type { Credentials } from './auth/scheme.ts';
import { ExchangeError, type Failure } from './errors.ts';

const longestWords = 300;
const longestCode = 60;
const longestValue = 200;

/** Nobody is told more than a few hundred characters; what is read of a text has an end as well. */
const mostRead = 16_384;
/** No form of a credential and no signature is longer, but for a private key, which is known by its lines. */
const longestSecret = 4096;

/** A server's text made fit to be told: no form of the credentials, no markup, nothing invisible, then cut. */
export function tellable(text: string, credentials: Credentials, maxLength = longestWords): string {
  const scrub = scrubberOf(credentials);
  const withoutSecrets = scrub(text.slice(0, mostRead));
  // What was cut off may have been the other half of a secret that still stands at the end.
  const whole = text.length > mostRead ? withoutSecrets.slice(0, -longestSecret) : withoutSecrets;
  // Once more without markup, which may have parted a secret, or been a part of one.
  return cleanText(scrub(withoutMarkup(whole)), maxLength);
}

/** Words whose values are fit to be told; the text itself is ours. */
export function tellablePhrase({ text, values }: Phrase, credentials: Credentials): Phrase {
  const told = values.map((value) => {
    if (typeof value === 'string') return tellable(value, credentials, longestValue);
    return typeof value === 'object' ? tellablePhrase(value, credentials) : value;
  });
  return { text, values: told };
}

function toldDetail(detail: string | Phrase, credentials: Credentials): string | Phrase {
  return typeof detail === 'string'
    ? tellable(detail, credentials)
    : tellablePhrase(detail, credentials);
}

/**
 * A failure without a trace of the credentials. It keeps no cause: those of a fetch hold the URL
 * with its signature, or the header that could not be sent.
 */
export function tellableError(failure: Failure, credentials: Credentials): ExchangeError {
  const { serverWords, serverCode, detail } = failure;
  const told = (text: string, maxLength?: number) => tellable(text, credentials, maxLength);
  return new ExchangeError({
    ...failure,
    ...(serverWords === undefined ? {} : { serverWords: told(serverWords) }),
    ...(serverCode === undefined ? {} : { serverCode: told(serverCode, longestCode) }),
    ...(detail === undefined ? {} : { detail: toldDetail(detail, credentials) }),
  });
}
