import { html, nothing, type TemplateResult } from 'lit';
import type {
  ConventionKey,
  ConventionRow,
  ReportCheck,
  ReportDocument,
} from '../../protocol/connectionReport.ts';
import { stepIcon } from '../document/documentIcons.ts';

export type ReportActions = {
  readonly test: () => Promise<unknown>;
  readonly copy: () => Promise<unknown>;
  readonly override: (key: ConventionKey) => Promise<unknown>;
};

type ViewOptions = { readonly isCopied: boolean; readonly actions: ReportActions };

/** The whole page. Every text of it is drawn as text. */
export function reportView(report: ReportDocument, options: ViewOptions): TemplateResult {
  return html`
    ${headerView(report, options)}
    ${report.notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${checklistView(report.checklist)} ${conventionsView(report, options.actions)}
    ${detailsView(report.details)}
  `;
}

function headerView(
  { title, environment, profile, origin, writtenAt, buttons }: ReportDocument,
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
      <p class="origin">${writtenAt}</p>
    </div>
    <div class="actions">
      <span class="copied" role="status">${isCopied ? buttons.copied : nothing}</span>
      <button type="button" @click=${ignoringFailure(actions.test)}>${buttons.test}</button>
      <button type="button" @click=${ignoringFailure(actions.copy)}>${buttons.copy}</button>
    </div>
  </header>`;
}

/** The host has shown the failure already. */
function ignoringFailure(run: () => Promise<unknown>): () => void {
  return () => void run().catch(() => undefined);
}

function checklistView({ title, items }: ReportDocument['checklist']): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    <ul class="checklist">
      ${items.map(checkView)}
    </ul>
  </section>`;
}

function checkView({ label, state, texts }: ReportCheck): TemplateResult {
  return html`<li data-state=${state}>
    ${stepIcon(state)}
    <div class="check">
      <h3>${label}</h3>
      ${texts.map((text) => html`<p>${text}</p>`)}
    </div>
  </li>`;
}

function conventionsView(
  { conventions: { title, notes, columns, rows }, buttons }: ReportDocument,
  actions: ReportActions,
): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    <div class="scroll" tabindex="0" role="region" aria-label=${title}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            ${columns.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map((row) => rowView(row, buttons.override, actions))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function rowView(
  { key, label, value, proof, evidence, override }: ConventionRow,
  overrideLabel: string,
  actions: ReportActions,
): TemplateResult {
  return html`<tr role="row" data-convention=${key}>
    <th scope="row" role="rowheader">${label}<span class="key">${key}</span></th>
    <td role="cell" class="value">${value}</td>
    <td role="cell" data-state=${proof.state}>
      <span class="proof">${stepIcon(proof.state)} ${proof.word}</span>
      ${proof.texts.map((text) => html`<p>${text}</p>`)}
    </td>
    <td role="cell" class="evidence">${evidenceView(evidence)}</td>
    <td role="cell">
      ${
        override === null
          ? nothing
          : html`<button
              type="button"
              aria-label=${overrideLabel.replace('{0}', () => label)}
              @click=${ignoringFailure(() => actions.override(key))}
            >
              ${override}
            </button>`
      }
    </td>
  </tr>`;
}

function evidenceView({
  conclusion,
  summary,
  requests,
}: ConventionRow['evidence']): TemplateResult {
  if (requests.length === 0) return html`${conclusion}`;
  return html`${conclusion}
    <details>
      <summary>${summary}</summary>
      <ol>
        ${requests.map(
          ({ asked, answered }) =>
            html`<li>
              <code>${asked}</code>
              <p>${answered}</p>
            </li>`,
        )}
      </ol>
    </details>`;
}

function detailsView({ title, items }: ReportDocument['details']): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    <dl class="details">
      ${items.map(
        ({ label, texts }) => html`
          <div>
            <dt>${label}</dt>
            ${texts.map((text) => html`<dd>${text}</dd>`)}
          </div>
        `,
      )}
    </dl>
  </section>`;
}
