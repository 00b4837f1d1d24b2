import { UserFacingError } from '../../base/errors.ts';
import { phrase } from '../../base/phrase.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * A profile's base URL as requests use it, without a trailing slash. Throws a UserFacingError that
 * says what is wrong with it: https only, or http on a loopback host; no user, query or fragment.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url)
    throw new UserFacingError(
      phrase('The base URL is not a URL: write it as https://host or https://host/prefix.'),
    );
  if (url.username || url.password)
    throw new UserFacingError(
      phrase('The base URL must not contain a user name or password. Remove them and the @.'),
    );
  if (url.search || url.hash)
    throw new UserFacingError(
      phrase('The base URL must not contain a query or fragment. Remove ? and #.'),
    );
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname)))
    throw new UserFacingError(
      phrase('The base URL must begin with https:// (http:// only on this machine itself).'),
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
