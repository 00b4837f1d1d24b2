import { sign, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Label } from '../../protocol/documentTable.ts';

/** A profit or loss with every digit, its sign and its colour; what privacy hides has neither. */
export function profitLabel(
  field: 'upl' | 'rpnl',
  figure: NumberText | null,
  display: Display,
): Label {
  const text = display.full(field, figure);
  if (figure === null || display.hides(field)) return { text };
  switch (sign(figure)) {
    case 1:
      return { text: `+${text}`, tone: 'gain' };
    case -1:
      return { text, tone: 'loss' };
    case 0:
      return { text };
  }
}
