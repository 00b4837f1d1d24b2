/** An error whose message is one sentence for a person: what is wrong and the cure. It holds no secret. */
export class SentenceError extends Error {
  override readonly name = 'SentenceError';
}
