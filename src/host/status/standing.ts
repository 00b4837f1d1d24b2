import { l10n } from 'vscode';
import type { AccountState } from '../../account/accountStore.ts';
import type { Band } from '../../account/risk.ts';
import type { Session } from '../../account/session.ts';
import { unreadRecords } from '../../account/unreadRecords.ts';
import type { Display } from '../../base/display.ts';
import type { RiskState } from '../riskState.ts';
import { ageWords } from '../words.ts';

/** How loud the item's background is. */
export type Alarm = 'none' | 'warning' | 'error';

/** What is known of the account, how old it is, and how many positions are in danger, or may be. */
export type Standing = AccountState & {
  readonly staleMs: number | undefined;
  readonly critical: number;
  readonly near: number;
  /** Positions that could not be read: none of them counts as calm. */
  readonly unread: number;
};

/** How an open account stands. */
export function standingOf(
  { store, freshness }: Session,
  risk: Pick<RiskState, 'byDanger'>,
): Standing {
  const { snapshot } = store.state;
  const bands = risk.byDanger(snapshot?.account.positions ?? []).map(({ band }) => band);
  const count = (wanted: Band): number => bands.filter((band) => band === wanted).length;
  const { staleMs } = freshness;
  const unread = snapshot ? unreadRecords(snapshot, 'positions').length : 0;
  return { ...store.state, staleMs, critical: count('critical'), near: count('near'), unread };
}

/** Error for liquidation danger and stale figures, warning for what may become so. */
export function alarmOf({ staleMs, critical, near, unread, failure }: Standing): Alarm {
  if (staleMs !== undefined || critical > 0) return 'error';
  return near > 0 || unread > 0 || failure !== undefined ? 'warning' : 'none';
}

/** `1 critical`, `2 near`, as far as there are any. */
export function dangerWords({ critical, near }: Standing, display: Display): string[] {
  return [
    ...(critical > 0 ? [l10n.t('{0} critical', display.count(critical))] : []),
    ...(near > 0 ? [l10n.t('{0} near', display.count(near))] : []),
  ];
}

/** `none of 3`, `1 critical of 2, 1 could not be read`: of those that could. */
export function dangerOfAll(standing: Standing, display: Display): string {
  const { snapshot, unread } = standing;
  const words = dangerWords(standing, display).join(', ') || l10n.t('none');
  const count = display.count(snapshot?.account.positions.length ?? 0);
  return unread === 0
    ? l10n.t('{0} of {1}', words, count)
    : l10n.t('{0} of {1}, {2} could not be read', words, count, display.count(unread));
}

/** How old stale figures are; nothing while they are fresh. */
export function staleWords({ staleMs }: Standing, display: Display): string[] {
  return staleMs === undefined ? [] : [l10n.t('stale: {0} old', ageWords(staleMs, display))];
}
