import { l10n } from 'vscode';
import type { AccountState } from '../../account/accountStore.ts';
import type { Band } from '../../account/risk.ts';
import type { Session } from '../../account/session.ts';
import type { Display } from '../../base/display.ts';
import type { RiskState } from '../riskState.ts';
import { ageWords } from '../words.ts';

/** How loud the item's background is. */
export type Alarm = 'none' | 'warning' | 'error';

/** What is known of the account, how old it is, and how many positions are in danger. */
export type Standing = AccountState & {
  readonly staleMs: number | undefined;
  readonly critical: number;
  readonly near: number;
};

/** How an open account stands. */
export function standingOf({ store, freshness }: Session, risk: RiskState): Standing {
  const positions = store.state.snapshot?.account.positions ?? [];
  const bands = risk.byDanger(positions).map(({ band }) => band);
  const count = (wanted: Band): number => bands.filter((band) => band === wanted).length;
  const { staleMs } = freshness;
  return { ...store.state, staleMs, critical: count('critical'), near: count('near') };
}

/** Error for liquidation danger and stale figures, warning for what may become so. */
export function alarmOf({ staleMs, critical, near, failure }: Standing): Alarm {
  if (staleMs !== undefined || critical > 0) return 'error';
  return near > 0 || failure !== undefined ? 'warning' : 'none';
}

/** `1 critical`, `2 near`, as far as there are any. */
export function dangerWords({ critical, near }: Standing, display: Display): string[] {
  return [
    ...(critical > 0 ? [l10n.t('{0} critical', display.count(critical))] : []),
    ...(near > 0 ? [l10n.t('{0} near', display.count(near))] : []),
  ];
}

/** How old stale figures are; nothing while they are fresh. */
export function staleWords({ staleMs }: Standing, display: Display): string[] {
  return staleMs === undefined ? [] : [l10n.t('stale: {0} old', ageWords(staleMs, display))];
}
