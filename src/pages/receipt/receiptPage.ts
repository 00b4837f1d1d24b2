import { render } from 'lit';
import * as v from 'valibot';
import { systemClock } from '../../base/time.ts';
import {
  receiptDocumentSchema,
  type ReceiptEvents,
  type ReceiptMethods,
  type ReceiptState,
} from '../../protocol/receipt.ts';
import { RpcClient } from '../../protocol/rpcClient.ts';
import { acquireApi, hostPort } from '../hostPort.ts';
import { receiptView, type ReceiptActions } from './receiptView.ts';

/** Draws what the host sends, and passes the two buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = new RpcClient<ReceiptMethods, ReceiptEvents>({
    port: hostPort(vscode),
    clock: systemClock,
    idPrefix: crypto.randomUUID(),
    // The host answers at once, or waits for the user.
    deadlineMs: () => null,
    listeners: { 'receipt/changed': (changed) => draw(changed) },
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

const root = document.getElementById('app');
if (root) start(root);
