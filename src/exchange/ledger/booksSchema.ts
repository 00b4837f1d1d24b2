import * as v from 'valibot';
import type { Books } from './books.ts';

const time = v.pipe(v.number(), v.finite());
const positive = v.pipe(v.number(), v.finite(), v.minValue(1));
const limit = v.object({ weight: positive, windowMs: positive });
const booksSchema = v.object({
  entries: v.array(
    v.object({
      id: v.string(),
      weight: positive,
      endsAt: time,
      isForeign: v.boolean(),
      shortestMs: v.optional(positive),
    }),
  ),
  limits: v.nullable(v.pipe(v.array(limit), v.minLength(1))),
  learnedAt: time,
  lastSentAt: time,
  frozenUntil: time,
  passed: v.array(v.object({ id: v.string(), operation: v.string() })),
  bulkSpentAt: time,
  keptAt: v.optional(v.nullable(v.object({ wallMs: time, steadyMs: time })), null),
});

/** The books that a text holds; undefined where it cannot be understood. */
export function booksIn(text: string): Books | undefined {
  try {
    const parsed = v.safeParse(booksSchema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
