import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { identityNames } from '../../ledger/ledger.ts';
import {
  isSameContradiction,
  type NamedContradiction,
} from '../../ledger/reconciliation/contradictions.ts';
import { settingValue } from '../settings/settingValues.ts';
import { writeSetting } from '../settings/settings.ts';
import { commands } from '../shared/contributions.ts';
import { storedList, type StoredList, type ValueStorage } from '../../base/storedValue.ts';
import { t } from '../shared/translate.ts';
import { accountLabel, untrustedText } from '../text/messageText.ts';

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
  private readonly checked: StoredList<CheckedOfLedger>;

  constructor(storage: ValueStorage) {
    const key = 'marginDesk.contradictions';
    this.checked = storedList(storage, key, checkedSchema, { limit: mostKnown });
  }

  find(ledger: string, contradiction: NamedContradiction): CheckedContradiction | undefined {
    return this.checked
      .get()
      .find((known) => known.ledger === ledger && isSameContradiction(known, contradiction));
  }

  /** In place of what was known of the same. */
  async add(ledger: string, checked: readonly CheckedContradiction[]): Promise<void> {
    await this.checked.update((all) => {
      const others = all.filter(
        (known) =>
          known.ledger !== ledger || !checked.some((each) => isSameContradiction(known, each)),
      );
      return [...others, ...checked.map((each) => ({ ...each, ledger }))];
    });
  }
}

const mostNamed = 3;
const setting = 'marginDesk.alerts.reconciliation';

/** Says once that the ledger of the open account does not agree with the exchange. */
export async function showContradictions(
  { state }: Pick<ActiveAccount, 'state'>,
  contradictions: readonly NamedContradiction[],
): Promise<void> {
  if (state.kind !== 'open' || !settingValue(setting)) return;
  const open = { title: t('Open Reconciliation') };
  const turnOff = { title: t('Do Not Show Again') };
  const names = [...new Set(contradictions.map(({ subject }) => untrustedText(subject, 40)))];
  const text = t(
    '{0}: the records of the ledger contradict what the exchange reported of {1}.',
    accountLabel(state.session.profile),
    names.length > mostNamed ? `${names.slice(0, mostNamed).join(', ')}, …` : names.join(', '),
  );
  const chosen = await vscode.window.showWarningMessage(text, open, turnOff);
  if (chosen === open) await vscode.commands.executeCommand(commands.openReconciliation);
  if (chosen === turnOff) await writeSetting(setting, false);
}
