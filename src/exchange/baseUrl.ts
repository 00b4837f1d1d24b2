import { phrase } from '../base/phrase.ts';
import { SentenceError } from '../base/sentenceError.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * A profile's base URL as requests use it, without a trailing slash. Throws a SentenceError that
 * says what is wrong with it: https only, or http on a loopback host; no user, query or fragment.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url)
    throw new SentenceError(
      phrase('The base URL is not a URL: write it as https://host or https://host/prefix.'),
    );
  if (url.username || url.password)
    throw new SentenceError(
      phrase('The base URL must not carry a user or password: leave out what stands before @.'),
    );
  if (url.search || url.hash)
    throw new SentenceError(
      phrase('The base URL must not carry a query or fragment: leave out ? and #.'),
    );
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname)))
    throw new SentenceError(
      phrase('The base URL must begin with https:// (http:// only on this machine itself).'),
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
