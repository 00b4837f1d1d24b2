import type { AccountConnection } from './accountConnection.ts';
import { CredentialsRequiredError, type ConnectionDetails } from './credentials.ts';

/** A profile to connect to, even if its credentials are missing. */
export type ConnectionTarget = ConnectionDetails & {
  readonly credentialsError?: CredentialsRequiredError;
};

/** Without credentials, only operations that need none can be tested: nothing else is sent unsigned. */
export async function connectionTarget(
  connection: AccountConnection,
  name: string,
): Promise<ConnectionTarget> {
  try {
    return await connection.resolveConnection(name);
  } catch (error) {
    if (!(error instanceof CredentialsRequiredError)) throw error;
    return { profile: error.profile, credentials: {}, credentialsError: error };
  }
}
