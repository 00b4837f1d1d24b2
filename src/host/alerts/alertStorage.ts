import * as v from 'valibot';
import type { FirstEquity, NotifiedTimes } from '../../account/alerts/alertCondition.ts';
import type { AlertMemory } from '../../account/alerts/alertMonitor.ts';
import type { HeldPositions } from '../../account/alerts/vanishedPositions.ts';
import { isNumberText } from '../../base/decimal.ts';
import { storedList, type StoredList, type ValueStorage } from '../../base/storedValue.ts';
import { dayMs, type Clock } from '../../base/time.ts';
import { logRejection, type Log } from '../shared/log.ts';

const retentionMs = 7 * dayMs;
const mostSubjects = 500;
const mostPositions = 500;
/** Of first equities and of positions, for all accounts. */
const mostOthers = 100;

/** The account's fingerprint: a profile can get credentials of another account. */
const account = v.string();
const notifiedSchema = v.object({ account, subject: v.string(), at: v.number() });
const equity = v.pipe(v.string(), v.check(isNumberText));
const firstSchema = v.object({ account, first: v.object({ seenAt: v.number(), equity }) });
const heldPosition = v.object({
  symbol: v.string(),
  marginMode: v.nullable(v.string()),
  side: v.nullable(v.picklist(['long', 'short', 'flat'])),
});
const heldSchema = v.object({
  account,
  held: v.object({
    asOf: v.number(),
    positions: v.pipe(v.array(heldPosition), v.readonly()),
    unexplained: v.number(),
  }),
});

/** What is stored about the alerts of all accounts. At worst something is forgotten, and an alert shown twice. */
export type StoredAlerts = {
  readonly notified: StoredList<v.InferOutput<typeof notifiedSchema>>;
  readonly firsts: StoredList<v.InferOutput<typeof firstSchema>>;
  readonly held: StoredList<v.InferOutput<typeof heldSchema>>;
};

export function storedAlerts(storage: ValueStorage, clock: Clock): StoredAlerts {
  const common = { afterMs: retentionMs, clock };
  return {
    notified: storedList(storage, 'marginDesk.alerts', notifiedSchema, {
      limit: mostSubjects,
      expiry: { ...common, timeOf: ({ at }) => at },
    }),
    firsts: storedList(storage, 'marginDesk.firstEquities', firstSchema, {
      limit: mostOthers,
      expiry: { ...common, timeOf: ({ first }) => first.seenAt },
    }),
    held: storedList(storage, 'marginDesk.heldPositions', heldSchema, {
      limit: mostOthers,
      expiry: { ...common, timeOf: ({ held }) => held.asOf },
    }),
  };
}

/** The alert memory of one account: all windows see it, and a reload finds it. */
export class AlertStorage implements AlertMemory {
  private readonly account: string;
  private readonly stored: StoredAlerts;
  private readonly log: Log;

  constructor(account: string, stored: StoredAlerts, log: Log) {
    this.account = account;
    this.stored = stored;
    this.log = log;
  }

  notifiedTimes(): NotifiedTimes {
    return new Map(this.own(this.stored.notified.get()).map(({ subject, at }) => [subject, at]));
  }

  get firstEquities(): readonly FirstEquity[] {
    return this.own(this.stored.firsts.get()).map(({ first }) => first);
  }

  get held(): HeldPositions | undefined {
    return this.own(this.stored.held.get())[0]?.held;
  }

  recordNotified(subjects: readonly string[], at: number): void {
    if (subjects.length === 0) return;
    const { account } = this;
    const added = subjects.map((subject) => ({ account, subject, at }));
    this.logFailure(
      this.stored.notified.update((all) => [
        ...all.filter((one) => one.account !== account || !subjects.includes(one.subject)),
        ...added,
      ]),
    );
  }

  saveFirstEquity(first: FirstEquity): void {
    const { account } = this;
    this.logFailure(
      this.stored.firsts.update((all) => [
        ...all.filter((one) => one.account !== account || one.first.seenAt !== first.seenAt),
        { account, first },
      ]),
    );
  }

  saveHeld(seen: HeldPositions): void {
    const { account } = this;
    const own = { ...seen, positions: seen.positions.slice(0, mostPositions) };
    this.logFailure(
      this.stored.held.update((all) => {
        const [known] = this.own(all);
        const held = known && known.held.asOf > own.asOf ? known.held : own;
        return [...all.filter((one) => one !== known), { account, held }];
      }),
    );
  }

  private own<Item extends { readonly account: string }>(items: readonly Item[]): readonly Item[] {
    return items.filter(({ account }) => account === this.account);
  }

  private logFailure(writing: Promise<void>): void {
    logRejection(this.log, 'storing shown alerts', writing);
  }
}
