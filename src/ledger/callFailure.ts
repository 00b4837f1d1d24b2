import { LedgerError, type LedgerProblem } from './ledgerError.ts';

/** What an error of a worker was, without its stack: it crosses to the window. */
export type CallFailure = {
  readonly problem: LedgerProblem | undefined;
  readonly code: string;
  readonly message: string;
};

export function failureOf(error: unknown): CallFailure {
  if (error instanceof LedgerError)
    return { problem: error.problem, code: error.code, message: error.message };
  return { problem: undefined, code: '', message: String(error) };
}

export function errorOf({ problem, code, message }: CallFailure): Error {
  return problem === undefined ? new Error(message) : new LedgerError(problem, code);
}
