import * as v from 'valibot';
import { render, html, nothing, type TemplateResult } from 'lit';
import {
  receiptDocumentSchema,
  receiptStateSchema,
  type ReceiptDocument,
  type ReceiptEvents,
  type ReceiptMethods,
  type ReceiptState,
  type ReceiptStep,
  type ReceiptTable,
} from '../../protocol/receipt.ts';
import type { GridTextName, TableTexts } from '../../protocol/texts.ts';
import { DocumentGrid } from '../document/documentGrid.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { formatGridTexts } from '../grid/texts.ts';
import { documentHeader } from '../document/documentHeader.ts';
import { outcomeIcon, stepIcon } from '../document/documentIcons.ts';
import { documentTableView } from '../document/documentTableView.ts';

/** Draws what the host sends, and passes the buttons and copies on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<ReceiptMethods, ReceiptEvents>(vscode, {
    'receipt/changed': receive,
    'grid/copied': (selection) => orders.copied(selection),
    'grid/command': (command) => orders.command(command),
  });
  const saved = v.safeParse(receiptStateSchema, vscode.getState());
  const texts = JSON.parse(root.dataset.texts ?? '') as Pick<TableTexts, GridTextName>;
  const orders = new DocumentGrid({
    table: 'returnedOrders',
    texts: formatGridTexts(texts, document.documentElement.lang),
    saved: saved.success ? saved.output.grid : undefined,
    keepLayout: (layout) => void client.request('grid/layout', layout).catch(() => undefined),
    copy: (request) => void client.request('grid/copy', request).catch(() => undefined),
    copyField: (field) => void client.request('grid/copyField', field).catch(() => undefined),
    draw,
    save,
  });
  const receipt = root.dataset.receipt ?? '';
  let shown: ReceiptDocument | undefined;
  let isCopied = false;
  function receive(received: unknown): void {
    shown = v.parse(receiptDocumentSchema, received);
    const table = shown.tables.find(({ grid }) => grid);
    if (table?.grid) orders.receive(table.title, table.grid, receipt);
    draw();
  }
  function draw(): void {
    if (shown) render(receiptView(shown, { isCopied, actions, grid: orders.template() }), root);
  }
  function save(): void {
    const { view } = orders;
    const state: ReceiptState = { v: 1, receipt, ...(view && { grid: view }) };
    vscode.setState(state);
  }
  const actions: ReceiptActions = {
    copy: async () => {
      isCopied = false;
      draw();
      isCopied = await client.request('receipt/copy', null);
      draw();
    },
    save: () => client.request('receipt/save', null),
  };
  save();
  void client.request('receipt/open', null).then(receive);
}

startPage(start);

type ReceiptActions = {
  readonly copy: () => Promise<unknown>;
  readonly save: () => Promise<unknown>;
};

type ViewOptions = {
  readonly isCopied: boolean;
  readonly actions: ReceiptActions;
  /** Of the returned orders. */
  readonly grid: TemplateResult | typeof nothing;
};

/** The whole page. Every text of it is drawn as text. */
function receiptView(
  receipt: ReceiptDocument,
  { isCopied, actions, grid }: ViewOptions,
): TemplateResult {
  const { buttons } = receipt;
  return html`
    ${documentHeader(receipt, receipt.sentAt, isCopied ? buttons.copied : null, [
      [buttons.copy, actions.copy],
      [buttons.save, actions.save],
    ])}
    ${outcomeView(receipt.outcome)}
    ${receipt.notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${timelineView(receipt.timeline)}
    ${receipt.tables.map((table) => tableView(table, receipt.hiddenWord, grid))}
  `;
}

function outcomeView({
  icon,
  tone,
  word,
  sentences,
  asOf,
}: ReceiptDocument['outcome']): TemplateResult {
  return html`<section class="outcome" data-tone=${tone} data-outcome=${icon} role="status">
    ${outcomeIcon(icon)}
    <div>
      <h2>${word}</h2>
      ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
      ${asOf === null ? nothing : html`<p class="asOf">${asOf}</p>`}
    </div>
  </section>`;
}

function timelineView({ title, steps }: ReceiptDocument['timeline']): TemplateResult {
  return html`<section>
    <h2 class="spoken">${title}</h2>
    <ol class="timeline">
      ${steps.map(stepView)}
    </ol>
  </section>`;
}

function stepView({ title, state, at, texts, checks }: ReceiptStep): TemplateResult {
  return html`<li data-state=${state}>
    ${stepIcon(state)}
    <div class="step">
      <h3>${title}</h3>
      ${at ? html`<p class="time" title=${at.detail ?? nothing}>${at.text}</p>` : nothing}
      ${texts.map((text) => html`<p>${text}</p>`)}
      ${checks.length === 0 ? nothing : checksView(checks)}
    </div>
  </li>`;
}

function checksView(checks: ReceiptStep['checks']): TemplateResult {
  return html`<dl class="checks">
    ${checks.map(
      ({ label, state, text }) => html`
        <div data-state=${state}>
          <dt title=${label.detail ?? nothing}>${stepIcon(state)} ${label.text}</dt>
          <dd>${text}</dd>
        </div>
      `,
    )}
  </dl>`;
}

function tableView(
  table: ReceiptTable,
  hiddenWord: string,
  grid: ViewOptions['grid'],
): TemplateResult {
  return html`<section>
    <h2>${table.title}</h2>
    ${table.notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${table.grid ? grid : documentTableView(table, hiddenWord)}
  </section>`;
}
