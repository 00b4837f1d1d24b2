import { html, nothing, type TemplateResult } from 'lit';
import type {
  ConventionKey,
  ConventionRow,
  ReportCheck,
  ReportDocument,
} from '../../protocol/connectionReport.ts';
import { documentHeader, ignoringFailure } from '../document/documentHeader.ts';
import { stepIcon } from '../document/documentIcons.ts';

export type ReportActions = {
  readonly test: () => Promise<unknown>;
  readonly copy: () => Promise<unknown>;
  readonly override: (key: ConventionKey) => Promise<unknown>;
};

type ViewOptions = { readonly isCopied: boolean; readonly actions: ReportActions };

/** The whole page. Every text of it is drawn as text. */
export function reportView(
  report: ReportDocument,
  { isCopied, actions }: ViewOptions,
): TemplateResult {
  const { buttons } = report;
  return html`
    ${documentHeader(report, report.writtenAt, isCopied ? buttons.copied : null, [
      [buttons.test, actions.test],
      [buttons.copy, actions.copy],
    ])}
    ${report.notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${checklistView(report.checklist)} ${conventionsView(report, actions)}
    ${detailsView(report.details)}
  `;
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
