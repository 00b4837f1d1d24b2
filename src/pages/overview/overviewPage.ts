import * as v from 'valibot';
import { render, html, nothing, type TemplateResult } from 'lit';
import {
  overviewDocumentSchema,
  overviewStateSchema,
  type OverviewAction,
  type OverviewDocument,
  type OverviewEvents,
  type OverviewMethods,
  type OverviewState,
  type OverviewCard,
  type OverviewSection,
} from '../../protocol/overview.ts';
import type { GridTextName, TableTexts } from '../../protocol/texts.ts';
import { DocumentGrid } from '../document/documentGrid.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { formatGridTexts } from '../grid/texts.ts';
import { repeat } from 'lit/directives/repeat.js';
import type { Label } from '../../protocol/documentTable.ts';
import { accountView, actionButtons } from '../document/documentHeader.ts';
import { documentTableView, shownText } from '../document/documentTableView.ts';

/** Draws what the host sends, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<OverviewMethods, OverviewEvents>(vscode, {
    'overview/changed': receive,
    'grid/copied': (selection) => positions.copied(selection),
    'grid/command': (command) => positions.command(command),
  });
  const parsed = v.safeParse(overviewStateSchema, vscode.getState());
  const saved = parsed.success ? parsed.output : undefined;
  const texts = JSON.parse(root.dataset.texts ?? '') as Pick<TableTexts, GridTextName>;
  const positions = new DocumentGrid({
    table: 'positions',
    texts: formatGridTexts(texts, document.documentElement.lang),
    saved: saved?.grid,
    keepLayout: (layout) => void client.request('grid/layout', layout).catch(() => undefined),
    copy: (request) => void client.request('grid/copy', request).catch(() => undefined),
    copyField: (field) => void client.request('grid/copyField', field).catch(() => undefined),
    draw,
    save,
  });
  let shown: OverviewDocument | undefined;
  function receive(received: unknown): void {
    shown = v.parse(overviewDocumentSchema, received);
    receivePositions(shown);
    draw();
  }
  function receivePositions({ sections, account }: OverviewDocument): void {
    const section = sections.find(({ grid }) => grid);
    if (section?.grid) positions.receive(section.title, section.grid, JSON.stringify(account));
  }
  function draw(): void {
    if (shown) render(overviewView(shown, press, positions.template()), root);
  }
  function press(action: OverviewAction): void {
    client.request('overview/press', action).catch(() => undefined);
  }
  function save(): void {
    const { view } = positions;
    const scroll = Math.round(window.scrollY);
    const state: OverviewState = { v: 1, scroll, ...(view && { grid: view }) };
    vscode.setState(state);
  }
  void client.request('overview/open', null).then(({ document, before }) => {
    if (saved && before) receivePositions(v.parse(overviewDocumentSchema, before));
    receive(document);
    if (saved) window.scrollTo({ top: saved.scroll });
    window.addEventListener('scrollend', save);
    save();
  });
}

startPage(start);

type Press = (action: OverviewAction) => void;

/** The whole page, with the grid of its rows. Every text of it is drawn as text. */
function overviewView(
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
