import type { Profile } from '../../src/account/profile.ts';
import { Session } from '../../src/account/session.ts';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import { operationNames } from '../../src/exchange/auth/signedOperations.ts';
import { defaultDialect } from '../../src/exchange/dialect/dialect.ts';
import { fetchers } from '../../src/exchange/fetch.ts';
import type { RequestRecord } from '../../src/exchange/requestRecord.ts';
import { ampleLedger, markedCredentials } from './exchangeClient.ts';
import type { HostileServer } from './hostileServer.ts';

type Fields = Pick<Profile, 'readOnly'> & {
  readonly clock?: Clock;
  readonly onRequest?: (record: RequestRecord) => void;
};

/** The account of a live profile on a server, each request signed. */
export function signedSession(
  { url: baseUrl }: Pick<HostileServer, 'url'>,
  { readOnly, ...others }: Fields,
): Session {
  return new Session({
    profile: {
      ...{ name: 'Mine', environment: 'live', baseUrl, readOnly },
      ...{ auth: defaultHmacQuery, sign: operationNames, dialect: defaultDialect },
    },
    credentials: markedCredentials,
    fetch: fetchers['node-fetch'],
    clock: systemClock,
    ledger: ampleLedger(),
    ...others,
  });
}
