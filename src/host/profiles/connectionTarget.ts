import type { Accounts } from './accounts.ts';
import { CredentialsNeededError } from './credentialsNeeded.ts';
import type { Login } from './login.ts';

/** A profile to connect to, with what it lacks. */
export type Target = Login & { readonly missing?: CredentialsNeededError };

/** Without credentials what needs none is still tried; nothing is sent unsigned that should be signed. */
export async function targetOf(accounts: Accounts, name: string): Promise<Target> {
  try {
    return await accounts.login(name);
  } catch (error) {
    if (!(error instanceof CredentialsNeededError)) throw error;
    return { profile: error.profile, credentials: {}, missing: error };
  }
}
