import { html, nothing, type TemplateResult } from 'lit';
import { mask } from '../../base/display.ts';
import type { Label, ReceiptDocument, ReceiptStep, ReceiptTable } from '../../protocol/receipt.ts';
import { outcomeIcon, stepIcon } from './receiptIcons.ts';

export type ReceiptActions = {
  readonly copy: () => Promise<unknown>;
  readonly save: () => Promise<unknown>;
};

type ViewOptions = { readonly isCopied: boolean; readonly actions: ReceiptActions };

/** The whole page. Every text of it is drawn as text. */
export function receiptView(
  receipt: ReceiptDocument,
  { isCopied, actions }: ViewOptions,
): TemplateResult {
  return html`
    ${headerView(receipt, { isCopied, actions })} ${outcomeView(receipt.outcome)}
    ${receipt.notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${timelineView(receipt.timeline)}
    ${receipt.tables.map((table) => tableView(table, receipt.hiddenWord))}
  `;
}

function headerView(
  { title, environment, profile, origin, sentAt, buttons }: ReceiptDocument,
  { isCopied, actions }: ViewOptions,
): TemplateResult {
  return html`<header>
    <div class="heading">
      <h1>${title}</h1>
      <p class="account">
        <span class="environment" data-environment=${environment}>${environment}</span>
        <span class="profile">${profile}</span>
      </p>
      <p class="origin">${origin}</p>
      <p class="origin">${sentAt}</p>
    </div>
    <div class="actions">
      <span class="copied" role="status">${isCopied ? buttons.copied : nothing}</span>
      <button type="button" @click=${ignoringFailure(actions.copy)}>${buttons.copy}</button>
      <button type="button" @click=${ignoringFailure(actions.save)}>${buttons.save}</button>
    </div>
  </header>`;
}

/** The host has shown the failure already. */
function ignoringFailure(run: () => Promise<unknown>): () => void {
  return () => void run().catch(() => undefined);
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
  { title, notes, columns, rows }: ReceiptTable,
  hiddenWord: string,
): TemplateResult {
  const cell = ({ text, detail = '' }: Label, index: number): TemplateResult =>
    html`<td class=${columns[index]?.isNumeric ? 'numeric' : nothing} title=${detail || nothing}>
      ${text === mask ? maskedView(hiddenWord) : text}
    </td>`;
  return html`<section>
    <h2>${title}</h2>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${
      rows.length === 0
        ? nothing
        : html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
            <table>
              <thead>
                <tr>
                  ${columns.map(
                    ({ label, isNumeric }) =>
                      html`<th scope="col" class=${isNumeric ? 'numeric' : nothing}>${label}</th>`,
                  )}
                </tr>
              </thead>
              <tbody>
                ${rows.map(
                  (cells) =>
                    html`<tr>
                      ${cells.map(cell)}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}

function maskedView(hiddenWord: string): TemplateResult {
  return html`<span aria-hidden="true">${mask}</span><span class="spoken">${hiddenWord}</span>`;
}
