import type { AuthScheme } from '../../exchange/auth/scheme.ts';
import type { ConventionSettings } from '../../exchange/history/apiConventions.ts';
import type { OperationName } from '../../api/operations.ts';

/** Real money, an exchange's test system, or the built-in practice exchange. */
export const environments = ['live', 'test', 'practice'] as const;
export type Environment = (typeof environments)[number];

/** What an exchange counts the requests of: an address, whatever its keys, or each key. */
export const limitOwners = ['origin', 'key'] as const;
type LimitOwner = (typeof limitOwners)[number];

/** One account that the extension can open. Holds no secret. */
export type Profile = {
  readonly name: string;
  readonly environment: Environment;
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string;
  /** True: no write is ever sent. */
  readonly readOnly: boolean;
  /** Whose requests one rate limit counts: all of this origin, or those of one key. */
  readonly limitPer: LimitOwner;
  readonly auth: AuthScheme;
  readonly sign: readonly OperationName[];
  /** The API conventions of this exchange, as far as they are set. */
  readonly dialect: ConventionSettings;
};

/** LIVE, TEST or PRACTICE, as it stands wherever figures stand. */
export function environmentLabel({ environment }: Pick<Profile, 'environment'>): string {
  return environment.toUpperCase();
}

/** Scheme, host and port of the exchange: what credentials are bound to. */
export function originOf({ baseUrl }: Profile): string {
  return new URL(baseUrl).origin;
}
