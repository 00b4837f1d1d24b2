import { render } from 'lit';
import * as v from 'valibot';
import {
  receiptDocumentSchema,
  receiptStateSchema,
  type ReceiptDocument,
  type ReceiptEvents,
  type ReceiptMethods,
  type ReceiptState,
} from '../../protocol/receipt.ts';
import type { GridTextName, TableTexts } from '../../protocol/texts.ts';
import { DocumentGrid } from '../document/documentGrid.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { formatGridTexts } from '../table/state/pageTexts.ts';
import { receiptView, type ReceiptActions } from './receiptView.ts';

/** Draws what the host sends, and passes the buttons and copies on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<ReceiptMethods, ReceiptEvents>(vscode, {
    'receipt/changed': receive,
    'receipt/copied': (selection) => orders.copied(selection),
    'receipt/command': (command) => orders.command(command),
  });
  const saved = v.safeParse(receiptStateSchema, vscode.getState());
  const texts = JSON.parse(root.dataset.texts ?? '') as Pick<TableTexts, GridTextName>;
  const orders = new DocumentGrid({
    table: 'returnedOrders',
    texts: formatGridTexts(texts, document.documentElement.lang),
    saved: saved.success ? saved.output.grid : undefined,
    keepLayout: (layout) => void client.request('receipt/layout', layout).catch(() => undefined),
    copy: (request) => void client.request('receipt/copyCells', request).catch(() => undefined),
    copyField: (field) => void client.request('receipt/copyField', field).catch(() => undefined),
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
