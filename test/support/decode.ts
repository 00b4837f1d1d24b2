import type { JsonValue } from '../../src/base/exactJson.ts';
import { inEnglish } from '../../src/base/phrase.ts';
import { DecodeFailure, type Decoder } from '../../src/exchange/decoders.ts';
import type { BadRecord, Decoded } from '../../src/exchange/records.ts';

/** Thrown if an answer as a whole cannot be decoded. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** Decodes a whole answer. */
export function decode<Value>(decoder: Decoder<Value>, answer: JsonValue): Decoded<Value> {
  const badRecords: BadRecord[] = [];
  const value = decoder(answer, '$', badRecords);
  if (value instanceof DecodeFailure) throw new DecodeError(inEnglish(value.problem));
  return { value, badRecords };
}
