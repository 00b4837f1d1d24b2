/** `changed`: the ledger, since the answer that a cursor continues. */
type RefusalCode = 'invalidInput' | 'notAllowed' | 'noLedger' | 'changed' | 'unavailable';

/** Why a question is not answered. Its message has no path, and no text of the question or the ledger. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** The argument that is wrong. */
  readonly field: string | null;

  constructor(code: RefusalCode, message: string, field: string | null = null) {
    super(message);
    this.code = code;
    this.field = field;
  }
}
