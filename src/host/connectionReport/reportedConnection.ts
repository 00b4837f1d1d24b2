import type { Profile } from '../../account/session/profile.ts';
import type { ConventionResolver } from '../../exchange/conventions/conventionResolver.ts';
import type { TestedConnection } from '../profiles/checkConnection.ts';

/** What a report is about. */
export type ReportedConnection = {
  readonly profile: Profile;
  /** The parts of the resolver that the report shows. */
  readonly conventions: Pick<
    ConventionResolver,
    'learned' | 'resolved' | 'timezone' | 'isZoneKnown'
  >;
  /** The last test in this window. */
  readonly check?: TestedConnection | undefined;
  /** False: it was removed since. */
  readonly exists: boolean;
};
