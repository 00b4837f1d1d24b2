import { render } from 'lit';
import * as v from 'valibot';
import {
  receiptDocumentSchema,
  type ReceiptEvents,
  type ReceiptMethods,
  type ReceiptState,
} from '../../protocol/receipt.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { receiptView, type ReceiptActions } from './receiptView.ts';

/** Draws what the host sends, and passes the two buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<ReceiptMethods, ReceiptEvents>(vscode, {
    'receipt/changed': (changed) => draw(changed),
  });
  let shown: unknown;
  let isCopied = false;
  const draw = (received: unknown): void => {
    shown = received;
    render(receiptView(v.parse(receiptDocumentSchema, received), { isCopied, actions }), root);
  };
  const actions: ReceiptActions = {
    copy: async () => {
      isCopied = false;
      draw(shown);
      isCopied = await client.request('receipt/copy', null);
      draw(shown);
    },
    save: () => client.request('receipt/save', null),
  };
  const state: ReceiptState = { v: 1, receipt: root.dataset.receipt ?? '' };
  vscode.setState(state);
  void client.request('receipt/open', null).then(draw);
}

startPage(start);
