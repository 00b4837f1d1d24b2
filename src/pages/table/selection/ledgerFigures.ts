import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { fullFigure } from '../../../protocol/cellRules.ts';
import type { LedgerSum } from '../../../protocol/table.ts';
import type { OpenState } from '../state/pageState.ts';
import { figuresView } from './figuresView.ts';

/** The exact figures of all rows of the ledger that match, by column and unit. */
export function ledgerFigures(
  { description: { columns }, display, texts }: OpenState,
  sums: readonly LedgerSum[],
): TemplateResult | typeof nothing {
  const figures = sums.map(({ field, unit, sum, min, max }) => {
    const label = columns.find((column) => column.field === field)?.label ?? field;
    const shown = (figure: string): string => fullFigure(figure, field, display);
    const name = `${label} ${cleanText(unit ?? '', 40)}`;
    return texts.allSums(name, [shown(sum), shown(min), shown(max)]);
  });
  if (figures.length === 0) return nothing;
  const first = html`<span>${texts.allRows}</span>`;
  return html`<div class="selected ofAll">${figuresView(first, figures, texts.figuresOfAll)}</div>`;
}
