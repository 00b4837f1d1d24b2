import { LedgerError } from '../../ledger/ledgerError.ts';
import { asLedgerError } from '../../ledger/storage/storageErrors.ts';

const problems = ['full', 'forbidden', 'missing', 'other'] as const;
/** Why a file could not be written. */
type FileProblem = (typeof problems)[number];

/** What an unfinished export has read and made, or the place that was chosen for its file. */
type FileLocation = 'storage' | 'target';

/** A disk error of an export, whose saved rows stay. It has no text of the system, which may name paths. */
export class ExportFileError extends Error {
  override readonly name = 'ExportFileError';
  readonly problem: FileProblem;
  readonly location: FileLocation;
  /** The code of the system or of SQLite, such as EBUSY. */
  readonly code: string;

  constructor(location: FileLocation, { problem, code }: Pick<LedgerError, 'problem' | 'code'>) {
    super(`${location}: ${code || problem}`);
    this.location = location;
    this.code = code || problem;
    this.problem = problems.find((known) => known === problem) ?? 'other';
  }
}

/** Runs `work`; an error of the system becomes an ExportFileError, and in storage also one of the export's own ledger. */
export async function withFileErrors<T>(
  location: FileLocation,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const error = asLedgerError(cause);
    const isOfFiles = error instanceof LedgerError && (location === 'storage' || error !== cause);
    throw isOfFiles ? new ExportFileError(location, error) : cause;
  }
}
