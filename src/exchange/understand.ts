import { phrase, type Phrase } from '../base/phrase.ts';
import type { Understand } from './answer.ts';
import { ExchangeError } from './errors.ts';
import type { OperationName } from './operations.ts';
import { decode, DecodeError, type Reader } from './readers.ts';
import { isRead } from './reads.ts';
import type { BadRecord, Decoded } from './records.ts';
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
      return { value, badRecords: toldRecords(badRecords, teller) };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw malformed(error.problem);
    }
  };
}

/** Nobody reads more of them, and the words of 100 000 would hold the window for seconds. */
const mostInWords = 100;

function toldRecords(badRecords: readonly BadRecord[], teller: Teller): readonly BadRecord[] {
  const more = badRecords.length - mostInWords;
  return badRecords.map(({ path, problem, ...kept }, index) => ({
    ...kept,
    path,
    problem: index < mostInWords ? teller.phrase(problem) : countedOnly(path, more),
  }));
}

function countedOnly(path: string, more: number): Phrase {
  return phrase('{0} could not be read either: one of {1} more that are only counted', path, more);
}
