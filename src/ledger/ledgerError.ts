/** Why a ledger could not be used. */
export type LedgerProblem =
  /** This VS Code has no SQLite. */
  | 'unsupported'
  /** The file is gone: it was deleted, perhaps by another window. */
  | 'missing'
  /** A newer version of the extension wrote it. */
  | 'newer'
  /** It is not a ledger file, or one of a build that stored other things. */
  | 'notALedger'
  /** It was damaged; its file was set aside, or another window has to do that. */
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

/** Why the file of a ledger was set aside: a new ledger started. */
export type SetAsideReason = Extract<LedgerProblem, 'damaged' | 'notALedger'>;

/** A failure of the ledger's storage. Its message has no path and no figure. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly problem: LedgerProblem;
  /** Of SQLite or the system, such as `SQLite 13` or `ENOSPC`; empty if there is none. */
  readonly code: string;

  constructor(problem: LedgerProblem, code = '', options?: ErrorOptions) {
    super(code === '' ? problem : `${problem} (${code})`, options);
    this.problem = problem;
    this.code = code;
  }
}

/** What an error of a worker was, without its stack: it crosses to the window. */
export type CallFailure = {
  readonly problem: LedgerProblem | undefined;
  readonly code: string;
  readonly message: string;
};

export function failureOf(error: unknown): CallFailure {
  if (!(error instanceof LedgerError))
    return { problem: undefined, code: '', message: String(error) };
  const { problem, code, message } = error;
  return { problem, code, message };
}

export function errorOf({ problem, code, message }: CallFailure): Error {
  return problem === undefined ? new Error(message) : new LedgerError(problem, code);
}
