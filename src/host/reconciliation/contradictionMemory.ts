import * as v from 'valibot';
import { identityNames } from '../../ledger/ledger.ts';
import {
  isSameContradiction,
  type NamedContradiction,
} from '../../ledger/reconciliation/contradictions.ts';
import { StoredValue, validItems, type ValueStorage } from '../shared/storedValue.ts';

/** Of all ledgers together. */
const mostKnown = 2000;

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
export type CheckedContradiction = Omit<CheckedOfLedger, 'ledger'>;
type CheckedOfLedger = v.InferOutput<typeof checkedSchema>;

/** The contradictions that were alerted once, by ledger, for all windows. It survives a reload. */
export class ContradictionMemory {
  private readonly checked: StoredValue<readonly CheckedOfLedger[]>;

  constructor(storage: ValueStorage) {
    const schema = validItems(checkedSchema);
    this.checked = new StoredValue(storage, 'marginDesk.contradictions', schema, []);
  }

  find(ledger: string, contradiction: NamedContradiction): CheckedContradiction | undefined {
    return this.checked
      .get()
      .find((known) => known.ledger === ledger && isSameContradiction(known, contradiction));
  }

  /** In place of what was known of the same. The oldest are forgotten if there are too many. */
  async add(ledger: string, checked: readonly CheckedContradiction[]): Promise<void> {
    await this.checked.update((all) => {
      const others = all.filter(
        (known) =>
          known.ledger !== ledger || !checked.some((each) => isSameContradiction(known, each)),
      );
      return [...others, ...checked.map((each) => ({ ...each, ledger }))].slice(-mostKnown);
    });
  }
}
