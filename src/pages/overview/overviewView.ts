import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Label } from '../../protocol/documentTable.ts';
import type {
  OverviewAction,
  OverviewCard,
  OverviewDocument,
  OverviewSection,
} from '../../protocol/overview.ts';
import { accountView, actionButtons } from '../document/documentHeader.ts';
import { documentTableView, shownText } from '../document/documentTableView.ts';

type Press = (action: OverviewAction) => void;

/** The whole page, with the grid of its rows. Every text of it is drawn as text. */
export function overviewView(
  overview: OverviewDocument,
  press: Press,
  grid: TemplateResult | typeof nothing,
): TemplateResult {
  const { problems, advice, cards, sections, age, hiddenWord } = overview;
  return html`
    ${headerView(overview, press)}
    ${problems.map((problem) => html`<p class="note" role="note">${problem}</p>`)}
    ${advice === null ? nothing : html`<p class="advice">${advice}</p>`}
    ${
      cards.length === 0
        ? nothing
        : html`<div class="cards">
            ${cards.map((card) => cardView(card, { age, hiddenWord, press }))}
          </div>`
    }
    ${repeat(
      sections,
      ({ title }) => title,
      (section) => sectionView(section, { age, hiddenWord, press }, grid),
    )}
  `;
}

type ViewOptions = {
  readonly age: string | null;
  readonly hiddenWord: string;
  readonly press: Press;
};

function headerView(
  { title, account, time, age, buttons }: OverviewDocument,
  press: Press,
): TemplateResult {
  return html`<header>
    <div class="heading">
      <h1>${title}</h1>
      ${account ? accountView(account) : nothing}
      ${
        time === null
          ? nothing
          : html`<p class="time" data-stale=${age ?? nothing} title=${time.detail ?? nothing}>
              ${time.text}
            </p>`
      }
    </div>
    ${actionButtons(buttons, press)}
  </header>`;
}

function cardView(
  { label, isOfAccount, lines, notes, buttons }: OverviewCard,
  { age, hiddenWord, press }: ViewOptions,
): TemplateResult {
  return html`<section class="card">
    <h2>${label} ${isOfAccount ? ageView(age) : nothing}</h2>
    ${lines.map((line) => lineView(line, hiddenWord))}
    ${notes.map((note) => html`<p class="remark">${note}</p>`)} ${actionButtons(buttons, press)}
  </section>`;
}

function lineView({ text, detail, tone }: Label, hiddenWord: string): TemplateResult {
  return html`<p class="line" data-tone=${tone ?? nothing} title=${detail ?? nothing}>
    ${shownText(text, hiddenWord)}
  </p>`;
}

function sectionView(
  section: OverviewSection,
  { age, hiddenWord, press }: ViewOptions,
  grid: TemplateResult | typeof nothing,
): TemplateResult {
  const { title, notes, isOfAccount, buttons } = section;
  return html`<section>
    <div class="sectionHead">
      <h2>${title} ${isOfAccount ? ageView(age) : nothing}</h2>
      ${actionButtons(buttons, press)}
    </div>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${section.grid ? grid : documentTableView(section, hiddenWord)}
  </section>`;
}

function ageView(age: string | null): TemplateResult | typeof nothing {
  return age === null ? nothing : html`<span class="age">${age}</span>`;
}
