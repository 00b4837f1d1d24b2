import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import { StoredValue, validItems, type ValueStorage } from '../../base/storedValue.ts';
import { dayMs } from '../../base/time.ts';
import { listedAge, type LeavingRows, type ListedAge } from '../../ledger/coverage/listedAge.ts';
import type { LedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { PlannedWalk } from '../../ledger/sync/downloadPlan.ts';
import { t } from '../shared/translate.ts';
import { accountLabel, joined } from '../text/messageText.ts';
import { ledgerHistoryLabel } from './ledgerText.ts';

type ListedHistory = ListedAge & { readonly history: LedgerHistory };
type LeavingHistory = { readonly history: LedgerHistory; readonly leaving: LeavingRows };

/** The histories that are proved to be listed only for some time. `now` is of the exchange. */
export function listedHistories({ histories }: LedgerSummary, now: number): ListedHistory[] {
  return histories.flatMap(({ history, reads, oldestRows }) => {
    const age = listedAge(history, reads, oldestRows, now);
    return age ? [{ history, ...age }] : [];
  });
}

export function leavingIn(listed: readonly ListedHistory[]): LeavingHistory[] {
  return listed.flatMap(({ history, leaving }) => (leaving ? [{ history, leaving }] : []));
}

/** What *Fill Gaps* reads of them. */
export function walksOf(leaving: readonly LeavingHistory[]): PlannedWalk[] {
  return leaving.map(({ history, leaving: { from, to } }) => ({ history, from, to }));
}

/** `Trade History: the exchange lists about 92 days.`, and what of it leaves soon. */
export function listedText(
  { history, listedMs, leaving }: ListedHistory,
  display: Display,
): string {
  const days = daysText(Math.floor(listedMs / dayMs), display);
  const listed = t('{0}: the exchange lists about {1}.', ledgerHistoryLabel(history), days);
  return joined(listed, leaving ? leavingText(leaving, display) : '');
}

function leavingText({ from, to, leaves }: LeavingRows, display: Display): string {
  return t(
    '{0} of it are not complete in your ledger, and leave from {1} to {2}.',
    daysText(Math.ceil((to - from) / dayMs), display),
    dateText(leaves.from, display),
    dateText(leaves.to, display),
  );
}

function daysText(days: number, display: Display): string {
  return days === 1 ? t('1 day') : t('{0} days', display.count(days));
}

function dateText(at: number, display: Display): string {
  return display.timeToSecond(at).slice(0, 'YYYY-MM-DD'.length);
}

/** The ledgers whose leaving rows were alerted, in all windows. */
const mostLedgers = 100;

export class LeavingAlerts {
  private readonly alerted: StoredValue<readonly string[]>;

  constructor(storage: ValueStorage) {
    this.alerted = new StoredValue(storage, 'marginDesk.leavingRows', validItems(v.string()), []);
  }

  /** Shows it once for each ledger, and whether *Fill Gaps* was pressed. */
  async show(
    ledger: string,
    profile: Profile,
    listed: readonly ListedHistory[],
    display: Display,
  ): Promise<boolean> {
    const leaving = listed.filter((one) => one.leaving);
    if (leaving.length === 0 || this.alerted.get().includes(ledger)) return false;
    await this.alerted.update((ledgers) => [...ledgers, ledger].slice(-mostLedgers));
    const texts = leaving.map((one) => listedText(one, display));
    const fill = t('Fill Gaps');
    const text = joined(`${accountLabel(profile)}:`, ...texts);
    return (await vscode.window.showWarningMessage(text, fill)) === fill;
  }
}
