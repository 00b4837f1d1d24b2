import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Document, DocumentAccount, Section } from '../../protocol/document.ts';
import { blockView, type BlockParts } from './blocks.ts';
import { actionButtons, ageView, buttonView, notesView, shownText, type Press } from './parts.ts';

export type ViewParts = BlockParts & {
  /** What the last button did, in a word; else empty. */
  readonly said: string;
  readonly choices: TemplateResult | typeof nothing;
  /** Whether another choice is still being computed. */
  readonly isLoading: boolean;
};

/** The whole page. Every text of it is drawn as text. */
export function documentView(document: Document, parts: ViewParts): TemplateResult {
  const { notes, sections } = document;
  const { said, choices, isLoading, press } = parts;
  return html`
    ${headerView(document, said, press)}
    ${notes.map((note) => html`<p class="note" role="note">${shownText(note, parts.hiddenWord)}</p>`)}
    ${choices}
    ${repeat(
      sections,
      ({ title }, index) => (index === 0 ? index : title),
      (section) => sectionView(section, isLoading, parts),
    )}
  `;
}

/** In place of a document that could not be computed. */
export function failureView(sentence: string, retry: string, load: () => void): TemplateResult {
  return html`<div class="notice" data-tone="error" role="alert">
    <div>
      <p>${sentence}</p>
      ${actionButtons([{ action: 'retry', label: retry }], load)}
    </div>
  </div>`;
}

/** Whose document it is and of when, with its buttons; `said` is a word about what the last one did. */
function headerView(
  { title, account, time, isStale = false, buttons }: Document,
  said: string,
  press: Press,
): TemplateResult {
  return html`<header>
    <div class="heading">
      <h1>${title}</h1>
      ${account ? accountView(account) : nothing}
      ${
        time && time.text !== ''
          ? html`<p
              class="time"
              data-stale=${isStale ? 'true' : nothing}
              title=${time.detail ?? nothing}
            >
              ${time.text}
            </p>`
          : nothing
      }
    </div>
    <div class="actions">
      <span class="said" role="status">${said}</span>
      ${buttons.map((button) => buttonView(button, press))}
    </div>
  </header>`;
}

function accountView({ environment, profile, origin, remark }: DocumentAccount): TemplateResult {
  return html`<p class="account">
      ${
        environment === null
          ? nothing
          : html`<span class="environment" data-environment=${environment}>${environment}</span>`
      }
      <span class="profile">${profile}</span>
      ${remark === null ? nothing : html`<span class="origin">${remark}</span>`}
    </p>
    ${origin === '' ? nothing : html`<p class="origin">${origin}</p>`}`;
}

function sectionView(
  { title, isSpoken = false, age = null, buttons = [], notes, blocks }: Section,
  isLoading: boolean,
  parts: BlockParts,
): TemplateResult {
  return html`<section aria-busy=${isLoading ? 'true' : 'false'}>
    ${
      title === ''
        ? nothing
        : html`<div class="sectionHead ${isSpoken ? 'spoken' : ''}">
            <h2>${title} ${ageView(age)}</h2>
            ${actionButtons(buttons, parts.press)}
          </div>`
    }
    ${notesView(notes, parts.hiddenWord)}
    ${repeat(
      blocks,
      (block, index) => (block.kind === 'chart' ? block.title : index),
      (block) => blockView(block, parts),
    )}
  </section>`;
}
