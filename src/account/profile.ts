import type { AuthScheme } from '../exchange/auth/scheme.ts';
import type { Dialect } from '../exchange/dialect/dialect.ts';

/** Real money, an exchange's test system, or the built-in practice exchange. */
export type Environment = 'live' | 'test' | 'practice';

/** One account that the extension can open. Holds no secret. */
export type Profile = {
  readonly name: string;
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly dialect: Dialect;
};

/** LIVE, TEST or PRACTICE, as it stands wherever figures stand. */
export function environmentLabel(profile: Profile): string {
  return profile.environment.toUpperCase();
}
