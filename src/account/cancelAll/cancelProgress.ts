/** What a run does now. */
export type CancelProgress =
  | { readonly at: 'planning' | 'confirming' | 'sending' | 'ended' }
  /** Confirmed; the limit has room for the request only then. */
  | { readonly at: 'waiting'; readonly sendableAt: number; readonly stop: () => void }
  | { readonly at: 'verifying'; readonly isUnknown: boolean };
