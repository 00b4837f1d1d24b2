import { html, nothing, type TemplateResult } from 'lit';
import type {
  ReconciliationCandidate,
  ReconciliationDocument,
  ReconciliationLine,
  ReconciliationSection,
  RowPlace,
  ShowButton,
} from '../../protocol/reconciliationMessages.ts';
import { documentHeader, ignoringFailure } from '../document/documentHeader.ts';
import { verdictIcon } from '../document/documentIcons.ts';
import { documentTableView, shownText } from '../document/documentTableView.ts';

type Labels = Pick<ReconciliationDocument, 'remainderLabel' | 'candidatesLabel' | 'hiddenWord'>;

type Actions = {
  readonly refresh: () => Promise<unknown>;
  readonly show: (place: RowPlace) => Promise<unknown>;
};

/** The whole page. Every text of it is drawn as text. */
export function reconciliationView(
  document: ReconciliationDocument,
  { refresh, show }: Actions,
): TemplateResult {
  const { title, account, time, notes, sections } = document;
  return html`
    ${
      account
        ? documentHeader({ title, account }, time, null, [[document.refresh, refresh]])
        : html`<h1>${title}</h1>`
    }
    ${notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${sections.map((section) => sectionView(section, document, show))}
  `;
}

function sectionView(
  { title, notes, lines }: ReconciliationSection,
  labels: Labels,
  show: Actions['show'],
): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${
      lines.length === 0
        ? nothing
        : html`<ul class="lines">
            ${lines.map((line) => lineView(line, labels, show))}
          </ul>`
    }
  </section>`;
}

function lineView(
  { label, state, word, remainder, notes, candidates, intervals }: ReconciliationLine,
  { remainderLabel, candidatesLabel, hiddenWord }: Labels,
  show: Actions['show'],
): TemplateResult {
  return html`<li data-state=${state}>
    <div class="line">
      <h3>${label}</h3>
      <span class="verdict">${verdictIcon(state)} ${word}</span>
      <span class="remainder">
        <span class="remark">${remainderLabel}</span> ${shownText(remainder, hiddenWord)}
      </span>
    </div>
    ${notes.map((note) => html`<p>${shownText(note, hiddenWord)}</p>`)}
    ${
      candidates.length === 0
        ? nothing
        : html`<h4>${candidatesLabel}</h4>
            <ol class="candidates">
              ${candidates.map((candidate) => candidateView(candidate, hiddenWord, show))}
            </ol>`
    }
    ${intervals ? intervalsView(label, intervals, hiddenWord) : nothing}
  </li>`;
}

function candidateView(
  { title, notes, rows, buttons }: ReconciliationCandidate,
  hiddenWord: string,
  show: Actions['show'],
): TemplateResult {
  return html`<li>
    ${shownText(title, hiddenWord)}
    ${notes.map((note) => html`<span class="remark">${note}</span> `)}
    ${
      rows.length === 0
        ? nothing
        : html`<ul>
            ${rows.map(
              ({ text, button }) =>
                html`<li>${shownText(text, hiddenWord)} ${buttonView(button, show)}</li>`,
            )}
          </ul>`
    }
    ${buttons.map((button) => buttonView(button, show))}
  </li>`;
}

function buttonView({ label, place }: ShowButton, show: Actions['show']): TemplateResult {
  return html`<button type="button" class="show" @click=${ignoringFailure(() => show(place))}>
    ${label}
  </button>`;
}

/** A person may open or close it: only a change of what the host says does so again. */
function intervalsView(
  subject: string,
  table: NonNullable<ReconciliationLine['intervals']>,
  hiddenWord: string,
): TemplateResult {
  return html`<details ?open=${table.isOpen}>
    <summary>${table.title}</summary>
    ${table.notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${documentTableView({ ...table, title: `${subject} · ${table.title}` }, hiddenWord)}
  </details>`;
}
