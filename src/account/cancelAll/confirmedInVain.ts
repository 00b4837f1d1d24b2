/** Somebody said yes, and before anything was sent the plan was cut off, as when another account is opened. */
export class ConfirmedInVain extends Error {
  override readonly name = 'ConfirmedInVain';
}

/** An abort ends what nobody waits for without a word; whoever said yes waits for an end. */
export async function afterYes<T>(doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    throw isAbort ? new ConfirmedInVain(undefined, { cause: error }) : error;
  }
}
