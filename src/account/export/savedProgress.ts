import * as v from 'valibot';
import { progressSchema, type Progress } from './progress.ts';

/** How far an export has come, and when that was saved. */
export type SavedProgress = { readonly progress: Progress; readonly savedAt: number };

const savedSchema = v.object({
  v: v.literal(1),
  savedAt: v.pipe(v.number(), v.integer()),
  saved: progressSchema,
});

export function serializeProgress({ progress, savedAt }: SavedProgress): string {
  return JSON.stringify({ v: 1, savedAt, saved: progress });
}

/** Parses what `serializeProgress` wrote; undefined for anything else. */
export function parseProgress(text: string): SavedProgress | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), savedSchema), text);
  return parsed.success
    ? { progress: parsed.output.saved, savedAt: parsed.output.savedAt }
    : undefined;
}
