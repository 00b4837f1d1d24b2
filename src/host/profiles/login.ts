import type { Profile } from '../../account/profile.ts';
import type { Credentials } from '../../exchange/auth/scheme.ts';

/** All it takes to open an account: where and how, and the person's credentials. */
export type Login = { readonly profile: Profile; readonly credentials: Credentials };
