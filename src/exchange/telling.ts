import { cleanText, withoutMarkup } from '../base/cleanText.ts';
import { scrub } from './auth/scrub.ts';
import type { Credentials } from './auth/scheme.ts';
import { ExchangeError, type Failure } from './errors.ts';

const longestWords = 300;
const longestCode = 60;

/** A server's text made fit to be told: no form of the credentials, no markup, nothing invisible, then cut. */
export function tellable(text: string, credentials: Credentials, maxLength = longestWords): string {
  // Once more without markup, which may have parted a credential, or been a part of one.
  const clean = scrub(withoutMarkup(scrub(text, credentials)), credentials);
  return cleanText(clean, maxLength);
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
    ...(detail === undefined ? {} : { detail: told(detail) }),
  });
}
