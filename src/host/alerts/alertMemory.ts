import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { AlertMemory } from '../../account/alerts/alertWatch.ts';
import type { FirstEquity } from '../../account/alerts/equityFall.ts';
import type { Told } from '../../account/alerts/watch.ts';
import { originOf, type Profile } from '../../account/profile.ts';
import { isNumberText } from '../../base/decimal.ts';

const memoryKey = 'marginDesk.alerts';
const keptMs = 7 * 86_400_000;
const keptSubjects = 500;

const accountSchema = v.object({
  account: v.string(),
  keptAt: v.number(),
  first: v.optional(
    v.object({ seenAt: v.number(), equity: v.pipe(v.string(), v.check(isNumberText)) }),
  ),
  told: v.array(v.tuple([v.string(), v.number()])),
});
type AccountEntry = v.InferOutput<typeof accountSchema>;

/**
 * What was told of one account, and its first equity of the day, in VS Code's global state: windows
 * see each other's writes within a moment, and a reload finds them. What cannot be read is forgotten:
 * at worst something is told twice.
 */
export function alertMemory(
  { name, ...profile }: Profile,
  state: Pick<vscode.Memento, 'get' | 'update'>,
  onProblem: (error: unknown) => void,
): AlertMemory {
  const account = JSON.stringify([name, originOf({ name, ...profile })]);
  const entries = (): AccountEntry[] => {
    const kept = v.safeParse(v.array(v.unknown()), state.get(memoryKey));
    const parsed = kept.success
      ? kept.output.map((entry) => v.safeParse(accountSchema, entry))
      : [];
    return parsed.flatMap((entry) => (entry.success ? [entry.output] : []));
  };
  const own = (): AccountEntry | undefined => entries().find((entry) => entry.account === account);
  const keep = (changed: Partial<AccountEntry>, now: number): void => {
    const others = entries().filter(
      (entry) => entry.account !== account && now - entry.keptAt < keptMs,
    );
    const entry = { told: [], ...own(), ...changed, account, keptAt: now };
    state.update(memoryKey, [...others, entry]).then(undefined, onProblem);
  };
  return {
    get told(): Told {
      return new Map(own()?.told);
    },
    get firstEquity(): FirstEquity | undefined {
      return own()?.first;
    },
    tell: (subjects, now) => {
      if (subjects.length === 0) return;
      const told = new Map([...(own()?.told ?? [])].filter(([, at]) => now - at < keptMs));
      for (const subject of subjects) {
        told.delete(subject);
        told.set(subject, now);
      }
      keep({ told: [...told].slice(-keptSubjects) }, now);
    },
    keepFirstEquity: (first) => keep({ first }, first.seenAt),
  };
}
