import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Label } from '../../protocol/documentTable.ts';
import type {
  OverviewAction,
  OverviewButton,
  OverviewCard,
  OverviewDocument,
  OverviewSection,
} from '../../protocol/overview.ts';
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
    ${buttonsView(buttons, press)}
  </header>`;
}

function accountView({
  environment,
  profile,
  origin,
  remark,
}: NonNullable<OverviewDocument['account']>): TemplateResult {
  return html`<p class="account">
      ${
        environment === null
          ? nothing
          : html`<span class="environment" data-environment=${environment}>${environment}</span>`
      }
      <span class="profile">${profile}</span>
      ${remark === null ? nothing : html`<span class="origin">${remark}</span>`}
    </p>
    <p class="origin">${origin}</p>`;
}

function cardView(
  { label, isOfAccount, lines, notes, buttons }: OverviewCard,
  { age, hiddenWord, press }: ViewOptions,
): TemplateResult {
  return html`<section class="card">
    <h2>${label} ${isOfAccount ? ageView(age) : nothing}</h2>
    ${lines.map((line) => lineView(line, hiddenWord))}
    ${notes.map((note) => html`<p class="remark">${note}</p>`)} ${buttonsView(buttons, press)}
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
      ${buttonsView(buttons, press)}
    </div>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${section.grid ? grid : documentTableView(section, hiddenWord)}
  </section>`;
}

function ageView(age: string | null): TemplateResult | typeof nothing {
  return age === null ? nothing : html`<span class="age">${age}</span>`;
}

/** A button keeps its element, and so the focus, while its label changes. */
function buttonsView(
  buttons: readonly OverviewButton[],
  press: Press,
): TemplateResult | typeof nothing {
  if (buttons.length === 0) return nothing;
  return html`<div class="actions">
    ${buttons.map(
      ({ action, label }) =>
        html`<button type="button" data-action=${action} @click=${() => press(action)}>
          ${label}
        </button>`,
    )}
  </div>`;
}
