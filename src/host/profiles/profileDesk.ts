import type { Partials } from '../../account/export/partials.ts';
import type { DisplayState } from '../displayState.ts';
import type { Accounts } from './accounts.ts';
import type { CredentialStore } from './credentialStore.ts';

/** What the commands around profiles work with. */
export type ProfileDesk = {
  readonly accounts: Accounts;
  readonly store: CredentialStore;
  readonly display: DisplayState;
};

/** The same, and what goes when a profile or its credentials go: rows of its unfinished exports. */
export type ProfileEnds = ProfileDesk & { readonly partials: Partials };
