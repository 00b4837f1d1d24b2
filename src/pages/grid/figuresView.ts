import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { LedgerFigures } from '../../protocol/table.ts';
import type { OpenState } from '../table/state/pageState.ts';

/** Figures of the footer, which a press opens line by line: the footer may have no room for them. */
export function figuresView(
  first: TemplateResult,
  figures: readonly string[],
  label: string,
  remark: string | null = null,
): TemplateResult {
  return html`<span class="popoverButton">
    <button class="tool selection" type="button" aria-haspopup="dialog" popovertarget="figures">
      ${first} ${figures.map((figure) => html`<span>${figure}</span>`)}
    </button>
    <div
      id="figures"
      class="popover figures"
      popover
      role="dialog"
      aria-label=${label}
      tabindex="0"
      autofocus
    >
      ${remark === null ? nothing : html`<strong>${remark}</strong>`}
      <ul>
        ${figures.map((figure) => html`<li>${figure}</li>`)}
      </ul>
    </div>
  </span>`;
}

/** The exact figures of all rows of the ledger that match, by column and unit. */
export function ledgerFigures(
  { description: { columns }, display, texts }: OpenState,
  { sums, incomplete, coverage }: LedgerFigures,
): TemplateResult | typeof nothing {
  const figures = sums.map(({ field, unit, lacking, sum, min, max }) => {
    const label = columns.find((column) => column.field === field)?.label ?? field;
    const shown = (figure: string): string => fullFigure(figure, field, display);
    const name = `${label} ${cleanText(unit ?? '', 40)}`;
    return texts.lacking(texts.allSums(name, [shown(sum), shown(min), shown(max)]), lacking);
  });
  if (figures.length === 0) return nothing;
  const first = html`<span class=${incomplete === null ? nothing : 'incomplete'}
    >${incomplete ?? texts.allRows}</span
  >`;
  const label = [texts.figuresOfAll, incomplete].filter(Boolean).join('. ');
  return html`<div class="selected ofAll" data-partial=${incomplete === null ? nothing : 'true'}>
    ${figuresView(first, figures, label, incomplete && `${incomplete} · ${coverage}`)}
  </div>`;
}
