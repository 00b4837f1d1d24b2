import type { Session } from '../session.ts';

/** What a cancel-all takes of an open account. */
export type CancelAccount = Pick<
  Session,
  'profile' | 'fingerprint' | 'scrub' | 'client' | 'refresher' | 'store' | 'ledger'
>;
