import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { Display } from '../../../base/display.ts';
import type { SummaryGroup, SummaryItem, TablePage } from '../../../protocol/table.ts';
import { cellText } from '../grid/gridCells.ts';
import type { OpenState } from '../state/pageState.ts';
import type { PageTexts } from '../state/pageTexts.ts';

const maxBadRecords = 3;

/** Everything between the filters and the rows: errors, notes, unreadable records and the summary. */
export function tableNotes(
  { actionError, texts, display }: OpenState,
  page: TablePage | undefined,
): TemplateResult {
  const { notes = [], badRecords = [], summary = [] } = page ?? {};
  return html`
    ${actionError === '' ? nothing : note(actionError, 'alert')}
    ${notes.map((sentence) => note(sentence, 'note'))}
    ${badRecords.length === 0 ? nothing : badRecordsNote(badRecords, texts)}
    ${summary.length === 0 ? nothing : summaryView(summary, display)}
  `;
}

function note(sentence: string, role: 'alert' | 'note'): TemplateResult {
  return html`<p class="note" role=${role}>${cleanText(sentence, 500)}</p>`;
}

function badRecordsNote(sentences: readonly string[], texts: PageTexts): TemplateResult {
  const more = sentences.length - maxBadRecords;
  return html`
    <div class="note" role="note">
      <p>${texts.badRecords(sentences.length)}</p>
      <ul>
        ${sentences.slice(0, maxBadRecords).map((text) => html`<li>${cleanText(text, 300)}</li>`)}
        ${more > 0 ? html`<li>${texts.andMore(more)}</li>` : nothing}
      </ul>
    </div>
  `;
}

function summaryView(groups: readonly SummaryGroup[], display: Display): TemplateResult {
  return html`<div class="summary">
    ${groups.map(
      ({ title, items }) => html`
        <section>
          <h2>${title}</h2>
          <dl>${items.map((item) => summaryItem(item, display))}</dl>
        </section>
      `,
    )}
  </div>`;
}

function summaryItem(item: SummaryItem, display: Display): TemplateResult {
  const { label, kind, cell } = item;
  const tooltip =
    kind === 'time' && cell !== null ? cleanText(display.timeInBothZones(cell)) : nothing;
  return html`<div>
    <dt>${label}</dt>
    <dd title=${tooltip}>${cellText(cell, item, display)}</dd>
  </div>`;
}
