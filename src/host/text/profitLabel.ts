import type { NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { gainOrLoss } from '../../protocol/cellRules.ts';
import type { Label } from '../../protocol/document.ts';

/** A profit or loss with every digit, its sign and its colour; what privacy hides has neither. */
export function profitLabel(
  field: 'upl' | 'rpnl',
  figure: NumberText | null,
  display: Display,
): Label {
  const text = display.signedFull(field, figure);
  const tone = display.hides(field) ? undefined : gainOrLoss(figure, { field });
  return tone ? { text, tone } : { text };
}
