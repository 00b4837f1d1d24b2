import { LedgerError } from '../../ledger/ledgerError.ts';

/** Why a file could not be written. */
type FileProblem = 'full' | 'forbidden' | 'missing' | 'other';

/** What an unfinished export has read and made, or the place that was chosen for its file. */
type FileLocation = 'storage' | 'target';

/** A disk error of an export, whose saved rows stay. It has no text of the system, which may name paths. */
export class ExportFileError extends Error {
  override readonly name = 'ExportFileError';
  readonly problem: FileProblem;
  readonly location: FileLocation;
  /** The code of the system or of SQLite, such as EBUSY. */
  readonly code: string;

  constructor(location: FileLocation, code: string, problem = problems[code] ?? 'other') {
    super(`${location}: ${code}`);
    this.location = location;
    this.code = code;
    this.problem = problem;
  }
}

const problems: Readonly<Record<string, FileProblem>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ENOENT: 'missing',
  ENOTDIR: 'missing',
};

/** Runs `work`; an error of the system becomes an ExportFileError. */
export async function withFileErrors<T>(
  location: FileLocation,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemErrorCode(error);
    throw code === undefined ? error : new ExportFileError(location, code);
  }
}

/** The same of what uses the temporary ledger of an export. */
export async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const { code, problem } = error;
    const isNamed = problem === 'full' || problem === 'forbidden' || problem === 'missing';
    throw new ExportFileError('storage', code === '' ? problem : code, isNamed ? problem : 'other');
  }
}

/** The code of a system error; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  const hasCode = error instanceof Error && 'syscall' in error && 'code' in error;
  return hasCode ? String(error.code) : undefined;
}
