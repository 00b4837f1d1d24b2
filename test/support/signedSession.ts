import { AccountSession } from '../../src/account/session/accountSession.ts';
import type { Profile } from '../../src/account/session/profile.ts';
import { systemClock, type Clock } from '../../src/base/time.ts';
import { fetchers } from '../../src/exchange/http/fetch.ts';
import type { RequestLogEntry } from '../../src/exchange/http/requestLog.ts';
import { operationNames } from '../../src/api/operations.ts';
import { aProfile } from './builders.ts';
import { ampleRateLimiter, markedCredentials } from './exchangeClient.ts';
import type { HostileServer } from './hostileServer.ts';

type Fields = Pick<Profile, 'readOnly'> & {
  readonly clock?: Clock;
  readonly onRequest?: (record: RequestLogEntry) => void;
};

/** The account of a live profile on a server, each request signed. */
export function signedSession(
  { url: baseUrl }: Pick<HostileServer, 'url'>,
  { readOnly, ...others }: Fields,
): AccountSession {
  return new AccountSession({
    profile: aProfile({ environment: 'live', baseUrl, readOnly, sign: operationNames }),
    credentials: markedCredentials,
    fetch: fetchers['node-fetch'],
    clock: systemClock,
    rateLimiter: ampleRateLimiter(),
    ...others,
  });
}
