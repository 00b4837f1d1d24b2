import type { Phrase } from '../base/phrase.ts';
import type { Understand } from './answer.ts';
import { ExchangeError } from './errors.ts';
import type { OperationName } from './operations.ts';
import { decode, DecodeError, type Reader } from './readers.ts';
import { isRead } from './reads.ts';
import type { Decoded } from './records.ts';
import type { Teller } from './telling.ts';

/**
 * Decodes an operation's answers. What it gives throws ExchangeError, `malformed`, where the answer as
 * a whole is not what the interface promises. Whatever it says of an answer is fit to be told: it
 * quotes the server, which may repeat a key.
 */
export function understoodBy<Value>(
  operation: OperationName,
  reader: Reader<Value>,
  teller: Teller,
): Understand<Decoded<Value>> {
  return (answer, status) => {
    const malformed = (detail: string | Phrase): ExchangeError =>
      teller.error({ kind: 'malformed', sent: 'yes', operation, status, detail });
    // Another success, such as 202, does not say that a write was done.
    if (!isRead(operation) && status !== 200) throw malformed(`HTTP ${status}`);
    try {
      const { value, badRecords } = decode(reader, answer);
      return {
        value,
        badRecords: badRecords.map(({ path, problem }) => ({
          path,
          problem: teller.phrase(problem),
        })),
      };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw malformed(error.problem);
    }
  };
}
