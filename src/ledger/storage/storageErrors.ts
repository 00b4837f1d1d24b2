import { LedgerError, type LedgerProblem } from '../ledgerError.ts';

/** SQLite's primary result codes. */
const sqliteProblems: Readonly<Record<number, LedgerProblem>> = {
  3: 'forbidden',
  5: 'busy',
  6: 'busy',
  8: 'forbidden',
  11: 'damaged',
  13: 'full',
  14: 'forbidden',
  23: 'forbidden',
  26: 'damaged',
};

const systemProblems: Readonly<Record<string, LedgerProblem>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  EBUSY: 'busy',
};

/** An error of SQLite or the system as a LedgerError; any other as it is. */
export function asLedgerError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if ('errcode' in error && typeof error.errcode === 'number') {
    // The low byte is the primary code; the rest says more about it.
    const problem = sqliteProblems[error.errcode & 0xff] ?? 'other';
    return new LedgerError(problem, `SQLite ${error.errcode}`, { cause: error });
  }
  const code = String(error.code);
  const problem = systemProblems[code] ?? 'other';
  return 'syscall' in error ? new LedgerError(problem, code, { cause: error }) : error;
}

/** Runs `work`; an error of SQLite or the system becomes a LedgerError. */
export function withStorageErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asLedgerError(error);
  }
}
