import * as vscode from 'vscode';
import type { Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import { dayMs } from '../../base/time.ts';
import { listedAge, type ListedAge } from '../../ledger/coverage/listedAge.ts';
import type { LedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { PlannedWalk } from '../../ledger/sync/downloadPlan.ts';
import { t } from '../shared/translate.ts';
import { accountLabel, joined } from '../text/messageText.ts';
import { ledgerHistoryLabel } from './ledgerText.ts';

type ListedHistory = ListedAge & { readonly history: LedgerHistory };

/** The histories that are proved to be listed only for some time. `now` is of the exchange. */
export function listedHistories({ histories }: LedgerSummary, now: number): ListedHistory[] {
  return histories.flatMap(({ history, reads, oldestRows }) => {
    const age = listedAge(history, reads, oldestRows, now);
    return age ? [{ history, ...age }] : [];
  });
}

/** What the ledger may lack and leaves soon, as *Fill Gaps* reads it. */
export function leavingIn(listed: readonly ListedHistory[]): PlannedWalk[] {
  return listed.flatMap(({ history, leaving }) => leaving.map((part) => ({ history, ...part })));
}

/** `Trade History: the exchange lists about 92 days.`, and what of it leaves soon. */
export function listedText(
  { history, listedMs, leaving }: ListedHistory,
  display: Display,
): string {
  const days = (ms: number): string =>
    ms === dayMs ? t('1 day') : t('{0} days', display.count(ms / dayMs));
  const date = (at: number): string => display.timeToSecond(at).slice(0, 'YYYY-MM-DD'.length);
  const listed = days(Math.round(listedMs / dayMs) * dayMs);
  const text = t('{0}: the exchange lists about {1}.', ledgerHistoryLabel(history), listed);
  const [first, last] = [leaving.at(0), leaving.at(-1)];
  if (!first || !last) return text;
  const lackingMs = leaving.reduce((sum, { from, to }) => sum + to - from, 0);
  const lacking = days(Math.ceil(lackingMs / dayMs) * dayMs);
  const leaves = [date(first.from + listedMs), date(last.to + listedMs)];
  return joined(
    text,
    t('{0} of it are not complete in your ledger, and leave from {1} to {2}.', lacking, ...leaves),
  );
}

/** Whether *Fill Gaps* was pressed. */
export async function askToFill(
  profile: Profile,
  listed: readonly ListedHistory[],
  display: Display,
): Promise<boolean> {
  const fill = t('Fill Gaps');
  const texts = listed
    .filter(({ leaving }) => leaving.length > 0)
    .map((one) => listedText(one, display));
  const text = joined(`${accountLabel(profile)}:`, ...texts);
  return (await vscode.window.showWarningMessage(text, fill)) === fill;
}
