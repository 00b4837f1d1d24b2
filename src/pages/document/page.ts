import { html, nothing, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { Display } from '../../base/display.ts';
import type {
  Choices,
  Document,
  DocumentAccount,
  DocumentEvents,
  DocumentMethods,
  DocumentState,
  Section,
} from '../../protocol/document.ts';
import { RpcError } from '../../protocol/messages.ts';
import type { documentPhrases } from '../../protocol/texts.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { fill } from '../fill.ts';
import { formatGridTexts } from '../grid/texts.ts';
import { blockView, type BlockParts } from './blocks.ts';
import { choicesView, DatesForm } from './choices.ts';
import { DocumentGrid } from './documentGrid.ts';
import { actionButtons, ageView, buttonView, notesView, shownText, type Press } from './parts.ts';

/** Draws what the host sends, asks it for what is chosen, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi<DocumentState>();
  const client = hostClient<DocumentMethods, DocumentEvents>(vscode, {
    'document/changed': receive,
    'grid/copied': (selection) => grid.act({ kind: 'copied', selection }),
    'grid/command': (command) => grid.command(command),
  });
  const saved = vscode.getState();
  const sent = JSON.parse(root.dataset.texts ?? '') as Record<keyof typeof documentPhrases, string>;
  const texts = fill<typeof documentPhrases>(sent, document.documentElement.lang);
  const grid = new DocumentGrid({
    name: root.dataset.grid ?? '',
    texts: formatGridTexts(sent, document.documentElement.lang),
    saved: saved?.grid,
    send: (name, params) => void client.request(name, params).catch(() => undefined),
    draw,
    save,
  });
  const datesForm = new DatesForm(draw);
  let shown: Document | undefined;
  let display: Display | undefined;
  let chosen: Choices | undefined = saved?.choices;
  let said = '';
  /** Why nothing can be shown. */
  let failure: string | undefined;
  let running: AbortController | undefined;

  function receive(received: Document): void {
    shown = received;
    // A button of the host may choose, too; what is still being loaded is newer.
    if (running === undefined) chosen = shown.chosen;
    receiveGrid(shown);
    draw();
    save();
  }
  function receiveGrid({ sections, account, key, chosen: of, display: settings }: Document): void {
    // The same object while its settings are: widths depend on it.
    if (!display || JSON.stringify(display.settings) !== JSON.stringify(settings))
      display = new Display(settings);
    const block = sections.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === 'grid');
    if (block?.kind !== 'grid') return;
    grid.receive(block.title, block.rows, display, JSON.stringify([account, key, of]));
  }
  function draw(): void {
    if (!shown || !display) {
      const retry = (): void => void load();
      if (failure !== undefined) render(failureView(failure, texts.retry, retry), root);
      return;
    }
    const isLoading = running !== undefined;
    const choices = choicesView(shown, {
      ...{ texts, display, isLoading, choose, datesForm },
      chosen: { ...shown.chosen, ...chosen },
    });
    const parts = { display, texts, press, grid, hiddenWord: texts.hidden };
    render(documentView(shown, { said, choices, isLoading }, parts), root);
  }
  function press(action: string, at: number[] = []): void {
    said = '';
    draw();
    client.request('document/press', { action, at }).then(
      (word) => {
        said = word ?? '';
        draw();
      },
      () => undefined,
    );
  }
  function choose(changed: Choices): void {
    chosen = { ...shown?.chosen, ...chosen, ...changed };
    void load();
  }
  /** A newer choice replaces one that is still being computed. */
  async function load(): Promise<void> {
    running?.abort();
    const own = new AbortController();
    running = own;
    failure = undefined;
    draw();
    try {
      const opened = await client.request('document/open', chosen ?? null, own.signal);
      if (running !== own) return;
      running = undefined;
      if (saved && !shown && opened.before) receiveGrid(opened.before);
      receive(opened.document);
    } catch (error) {
      if (running !== own) return;
      running = undefined;
      chosen = shown?.chosen;
      failure = error instanceof RpcError ? error.failure.sentence : '';
      draw();
    }
  }
  function save(): void {
    const { view } = grid;
    const choices = chosen ?? shown?.chosen;
    const state: DocumentState = {
      ...{ v: 1, kind: root.dataset.kind ?? '', key: shown?.key ?? root.dataset.key ?? '' },
      scroll: Math.round(window.scrollY),
      ...(choices && { choices }),
      ...(view && { grid: view }),
    };
    vscode.setState(state);
  }
  void load().then(() => {
    if (saved) window.scrollTo({ top: saved.scroll });
    window.addEventListener('scrollend', save);
  });
}

type HeadParts = {
  /** What the last button did, in a word; else empty. */
  readonly said: string;
  readonly choices: TemplateResult | typeof nothing;
  /** Whether another choice is still being computed. */
  readonly isLoading: boolean;
};

/** The whole page. Every text of it is drawn as text. */
function documentView(
  shown: Document,
  { said, choices, isLoading }: HeadParts,
  parts: BlockParts,
): TemplateResult {
  const { notes, sections } = shown;
  return html`
    ${headerView(shown, said, parts.press)}
    ${notes.map((note) => html`<p class="note" role="note">${shownText(note, parts)}</p>`)}
    ${choices}
    ${repeat(
      sections,
      ({ title }, index) => (index === 0 ? index : title),
      (section) => sectionView(section, isLoading, parts),
    )}
  `;
}

/** In place of a document that could not be computed. */
function failureView(sentence: string, retry: string, load: () => void): TemplateResult {
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
    ${notesView(notes, parts)}
    ${repeat(
      blocks,
      (block, index) => (block.kind === 'chart' ? block.title : index),
      (block) => blockView(block, parts),
    )}
  </section>`;
}

startPage(start);
