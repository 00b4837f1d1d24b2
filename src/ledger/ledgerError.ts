/** Why a ledger could not be used. */
export type LedgerProblem =
  /** This VS Code has no SQLite. */
  | 'unsupported'
  /** The file is gone: it was deleted, perhaps by another window. */
  | 'missing'
  /** A newer version of the extension wrote it. It stays as it is. */
  | 'newer'
  /** A file that is to be restored is not a ledger. */
  | 'notALedger'
  /** It was damaged, or no ledger; its file was set aside, or another window has to do that. */
  | 'damaged'
  | 'full'
  | 'forbidden'
  /** Another program used the file for too long. */
  | 'busy'
  /** Another window writes this ledger. */
  | 'otherWriter'
  /** The walk has ended. */
  | 'unknownWalk'
  /** Its worker ended, or was closed, before it answered. */
  | 'ended'
  | 'other';

type LedgerErrorOptions = ErrorOptions & {
  /** The path of the file, for the user. */
  readonly file?: string;
};

/** A failure of the ledger's storage. Its message has no path and no figure. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly problem: LedgerProblem;
  /** Of SQLite or the system, such as `SQLite 13` or `ENOSPC`; empty if there is none. */
  readonly code: string;
  /** Empty if it is not said. */
  readonly file: string;

  constructor(
    problem: LedgerProblem,
    code = '',
    { file = '', ...options }: LedgerErrorOptions = {},
  ) {
    super(code === '' ? problem : `${problem} (${code})`, options);
    this.problem = problem;
    this.code = code;
    this.file = file;
  }
}

/** Throws what a newer version wrote: it is neither changed nor deleted. */
export function undefinedUnlessNewer(error: unknown): undefined {
  if (error instanceof LedgerError && error.problem === 'newer') throw error;
  return undefined;
}

/** What an error of a worker was, without its stack: it crosses to the window. */
type CallFailure =
  | Pick<LedgerError, 'problem' | 'code' | 'file'>
  /** Of an unexpected error. */
  | { readonly message: string };

export function failureOf(error: unknown): CallFailure {
  if (!(error instanceof LedgerError)) return { message: String(error) };
  const { problem, code, file } = error;
  return { problem, code, file };
}

export function errorOf(failure: CallFailure): Error {
  if ('message' in failure) return new Error(failure.message);
  const { problem, code, file } = failure;
  return new LedgerError(problem, code, { file });
}
