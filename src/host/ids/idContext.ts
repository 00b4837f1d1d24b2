import type { AccountLedger } from '../ledger/openLedger.ts';
import type { Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import type { StoredRecord } from './storedRecords.ts';

/** What finding ids needs, wherever they stand. */
export type IdContext = {
  readonly ledger: Pick<AccountLedger, 'current' | 'onDidChange'>;
  readonly display: DisplayState;
  readonly log: Log;
  /** Opens the panel of a record of the ledger. */
  readonly show: (record: StoredRecord) => void;
};

/** What `read` gives; `otherwise` if the ledger cannot be read, which the log then says. */
export async function ifReadable<Result>(
  { log }: Pick<IdContext, 'log'>,
  otherwise: Result,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    log.failure('looking for ids', error);
    return otherwise;
  }
}
