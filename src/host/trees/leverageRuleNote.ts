import { l10n } from 'vscode';
import type { Known } from '../../account/reference.ts';
import { notionalOf } from '../../account/risk.ts';
import { isSame } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { LeverageRule, Position } from '../../exchange/records.ts';
import type { RowField } from './row.ts';

/** The leverage rule (section 2.8) of the position's own leverage, its bound beside our estimate. */
export function leverageRuleNote(
  position: Position,
  rules: Known<readonly LeverageRule[]> | undefined,
  display: Display,
): RowField {
  const { t } = l10n;
  const name = t('leverage rule of ×{0}', display.full('leverage', position.leverage));
  if (!rules) return [name, t('unknown')];
  const rule = rules.value.find(({ leverage }) => isSame(leverage, position.leverage));
  if (!rule) return [name, t('the exchange lists none')];
  const words = [
    t(
      'positionNotional {0} (our estimate now {1})',
      display.full('positionNotional', rule.positionNotional),
      display.full('notional', notionalOf(position)),
    ),
    `maintenanceMargin ${display.full('maintenanceMargin', rule.maintenanceMargin)} %`,
    `initialMargin ${display.full('initialMargin', rule.initialMargin)} %`,
    t('read at {0}', display.timeInBoth(String(rules.readAt))),
  ];
  return [name, words.join(', ')];
}
