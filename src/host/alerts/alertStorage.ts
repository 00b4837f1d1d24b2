import * as v from 'valibot';
import type { FirstEquity, NotifiedTimes } from '../../account/alerts/alertCondition.ts';
import type { AlertMemory } from '../../account/alerts/alertMonitor.ts';
import type { HeldPositions } from '../../account/alerts/vanishedPositions.ts';
import { isNumberText } from '../../base/decimal.ts';
import { StoredItems, type ValueStorage } from '../../base/storedValue.ts';
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

type Notified = v.InferOutput<typeof notifiedSchema>;
type First = v.InferOutput<typeof firstSchema>;
type Held = v.InferOutput<typeof heldSchema>;

/** What is stored about the alerts of all accounts. At worst something is forgotten, and an alert shown twice. */
export type StoredAlerts = {
  readonly notified: StoredItems<Notified>;
  readonly firsts: StoredItems<First>;
  readonly held: StoredItems<Held>;
};

export function storedAlerts(storage: ValueStorage, clock: Clock): StoredAlerts {
  const common = { expiresAfterMs: retentionMs, clock };
  return {
    notified: new StoredItems(storage, 'marginDesk.alerts', notifiedSchema, {
      ...common,
      limit: mostSubjects,
      timeOf: ({ at }) => at,
      keyOf: (one) => `${one.account} ${one.subject}`,
    }),
    firsts: new StoredItems(storage, 'marginDesk.firstEquities', firstSchema, {
      ...common,
      limit: mostOthers,
      timeOf: ({ first }) => first.seenAt,
      keyOf: (one) => `${one.account} ${one.first.seenAt}`,
    }),
    held: new StoredItems(storage, 'marginDesk.heldPositions', heldSchema, {
      ...common,
      limit: mostOthers,
      timeOf: ({ held }) => held.asOf,
      keyOf: (one) => one.account,
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
    return new Map(this.own(this.stored.notified).map(({ subject, at }) => [subject, at]));
  }

  get firstEquities(): readonly FirstEquity[] {
    return this.own(this.stored.firsts).map(({ first }) => first);
  }

  get held(): HeldPositions | undefined {
    return this.own(this.stored.held)[0]?.held;
  }

  recordNotified(subjects: readonly string[], at: number): void {
    const { account } = this;
    if (subjects.length > 0)
      this.put(
        this.stored.notified,
        subjects.map((subject) => ({ account, subject, at })),
      );
  }

  saveFirstEquity(first: FirstEquity): void {
    this.put(this.stored.firsts, [{ account: this.account, first }]);
  }

  saveHeld(seen: HeldPositions): void {
    const held = { ...seen, positions: seen.positions.slice(0, mostPositions) };
    this.put(this.stored.held, [{ account: this.account, held }]);
  }

  private own<Item extends { readonly account: string }>(items: StoredItems<Item>): Item[] {
    return items.get().filter(({ account }) => account === this.account);
  }

  private put<Item>(to: StoredItems<Item>, items: readonly Item[]): void {
    logRejection(this.log, 'storing shown alerts', to.put(items));
  }
}
