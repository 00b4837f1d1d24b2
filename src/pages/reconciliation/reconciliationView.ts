import { html, nothing, type TemplateResult } from 'lit';
import type {
  ReconciliationCandidate,
  ReconciliationDocument,
  ReconciliationLine,
  ReconciliationSection,
} from '../../protocol/reconciliationMessages.ts';
import { documentHeader } from '../document/documentHeader.ts';
import { verdictIcon } from '../document/documentIcons.ts';
import { shownText } from '../document/documentTableView.ts';

type Labels = Pick<ReconciliationDocument, 'remainderLabel' | 'candidatesLabel' | 'hiddenWord'>;

/** The whole page. Every text of it is drawn as text. */
export function reconciliationView(
  document: ReconciliationDocument,
  refresh: () => Promise<unknown>,
): TemplateResult {
  const { title, account, time, notes, sections } = document;
  return html`
    ${
      account
        ? documentHeader({ title, ...account }, time, null, [[document.refresh, refresh]])
        : html`<h1>${title}</h1>`
    }
    ${notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${sections.map((section) => sectionView(section, document))}
  `;
}

function sectionView(
  { title, notes, lines }: ReconciliationSection,
  labels: Labels,
): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    <ul class="lines">
      ${lines.map((line) => lineView(line, labels))}
    </ul>
  </section>`;
}

function lineView(
  { label, state, word, remainder, notes, candidates }: ReconciliationLine,
  { remainderLabel, candidatesLabel, hiddenWord }: Labels,
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
              ${candidates.map((candidate) => candidateView(candidate, hiddenWord))}
            </ol>`
    }
  </li>`;
}

function candidateView(
  { title, notes, rows }: ReconciliationCandidate,
  hiddenWord: string,
): TemplateResult {
  return html`<li>
    ${shownText(title, hiddenWord)}
    ${notes.map((note) => html`<span class="remark">${note}</span> `)}
    ${
      rows.length === 0
        ? nothing
        : html`<ul>
            ${rows.map((row) => html`<li>${shownText(row, hiddenWord)}</li>`)}
          </ul>`
    }
  </li>`;
}
