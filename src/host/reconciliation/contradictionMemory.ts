import * as v from 'valibot';
import type { Memento } from 'vscode';
import { identityNames } from '../../ledger/ledger.ts';
import {
  isSameContradiction,
  type NamedContradiction,
} from '../../ledger/reconciliation/contradictions.ts';

const storageKey = 'marginDesk.contradictions';
const mostLedgers = 20;
const mostOfLedger = 500;

const checkedSchema = v.object({
  ledger: v.string(),
  identity: v.picklist(identityNames),
  subject: v.string(),
  key: v.nullable(v.string()),
  from: v.number(),
  to: v.number(),
  /** When its interval was read again, in epoch milliseconds; null if it was not. */
  readAt: v.nullable(v.number()),
});

/** A contradiction that an alert has shown, with others of its asset. */
export type CheckedContradiction = Omit<v.InferOutput<typeof checkedSchema>, 'ledger'>;

/** The contradictions that were alerted once, by ledger, for all windows. It survives a reload. */
export class ContradictionMemory {
  private readonly storage: Pick<Memento, 'get' | 'update'>;

  constructor(storage: Pick<Memento, 'get' | 'update'>) {
    this.storage = storage;
  }

  find(ledger: string, contradiction: NamedContradiction): CheckedContradiction | undefined {
    return this.all().find(
      (checked) => checked.ledger === ledger && isSameContradiction(checked, contradiction),
    );
  }

  /** In place of what was known of the same. The oldest are forgotten if there are too many. */
  async add(ledger: string, checked: readonly CheckedContradiction[]): Promise<void> {
    const others = this.all().filter(
      (known) =>
        known.ledger !== ledger || !checked.some((each) => isSameContradiction(known, each)),
    );
    const all = [...others, ...checked.map((each) => ({ ...each, ledger }))];
    const ledgers = [...new Set(all.map((each) => each.ledger).reverse())].slice(0, mostLedgers);
    const kept = ledgers.flatMap((id) =>
      all.filter((each) => each.ledger === id).slice(-mostOfLedger),
    );
    await this.storage.update(storageKey, kept);
  }

  private all(): readonly v.InferOutput<typeof checkedSchema>[] {
    const stored = v.safeParse(v.array(checkedSchema), this.storage.get(storageKey));
    return stored.success ? stored.output : [];
  }
}
