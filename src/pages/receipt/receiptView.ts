import { html, nothing, type TemplateResult } from 'lit';
import type { ReceiptDocument, ReceiptStep, ReceiptTable } from '../../protocol/receipt.ts';
import { documentHeader } from '../document/documentHeader.ts';
import { outcomeIcon, stepIcon } from '../document/documentIcons.ts';
import { documentTableView } from '../document/documentTableView.ts';

export type ReceiptActions = {
  readonly copy: () => Promise<unknown>;
  readonly save: () => Promise<unknown>;
};

type ViewOptions = {
  readonly isCopied: boolean;
  readonly actions: ReceiptActions;
  /** Of the returned orders. */
  readonly grid: TemplateResult | typeof nothing;
};

/** The whole page. Every text of it is drawn as text. */
export function receiptView(
  receipt: ReceiptDocument,
  { isCopied, actions, grid }: ViewOptions,
): TemplateResult {
  const { buttons } = receipt;
  return html`
    ${documentHeader(receipt, receipt.sentAt, isCopied ? buttons.copied : null, [
      [buttons.copy, actions.copy],
      [buttons.save, actions.save],
    ])}
    ${outcomeView(receipt.outcome)}
    ${receipt.notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${timelineView(receipt.timeline)}
    ${receipt.tables.map((table) => tableView(table, receipt.hiddenWord, grid))}
  `;
}

function outcomeView({
  icon,
  tone,
  word,
  sentences,
  asOf,
}: ReceiptDocument['outcome']): TemplateResult {
  return html`<section class="outcome" data-tone=${tone} data-outcome=${icon} role="status">
    ${outcomeIcon(icon)}
    <div>
      <h2>${word}</h2>
      ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
      ${asOf === null ? nothing : html`<p class="asOf">${asOf}</p>`}
    </div>
  </section>`;
}

function timelineView({ title, steps }: ReceiptDocument['timeline']): TemplateResult {
  return html`<section>
    <h2 class="spoken">${title}</h2>
    <ol class="timeline">
      ${steps.map(stepView)}
    </ol>
  </section>`;
}

function stepView({ title, state, at, texts, checks }: ReceiptStep): TemplateResult {
  return html`<li data-state=${state}>
    ${stepIcon(state)}
    <div class="step">
      <h3>${title}</h3>
      ${at ? html`<p class="time" title=${at.detail ?? nothing}>${at.text}</p>` : nothing}
      ${texts.map((text) => html`<p>${text}</p>`)}
      ${checks.length === 0 ? nothing : checksView(checks)}
    </div>
  </li>`;
}

function checksView(checks: ReceiptStep['checks']): TemplateResult {
  return html`<dl class="checks">
    ${checks.map(
      ({ label, state, text }) => html`
        <div data-state=${state}>
          <dt title=${label.detail ?? nothing}>${stepIcon(state)} ${label.text}</dt>
          <dd>${text}</dd>
        </div>
      `,
    )}
  </dl>`;
}

function tableView(
  table: ReceiptTable,
  hiddenWord: string,
  grid: ViewOptions['grid'],
): TemplateResult {
  return html`<section>
    <h2>${table.title}</h2>
    ${table.notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${table.grid ? grid : documentTableView(table, hiddenWord)}
  </section>`;
}
