import { render } from 'lit';
import * as v from 'valibot';
import {
  ledgerDocumentSchema,
  ledgerStateSchema,
  type LedgerAction,
  type LedgerPageEvents,
  type LedgerPageMethods,
  type LedgerPageState,
} from '../../protocol/ledgerMap.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { ledgerView } from './ledgerView.ts';

/** Draws what the host sends, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<LedgerPageMethods, LedgerPageEvents>(vscode, {
    'ledger/changed': draw,
  });
  function draw(received: unknown): void {
    render(ledgerView(v.parse(ledgerDocumentSchema, received), press), root);
  }
  function press(action: LedgerAction): void {
    client.request('ledger/press', action).catch(() => undefined);
  }
  const saved = v.safeParse(ledgerStateSchema, vscode.getState());
  const save = (): void => {
    const state: LedgerPageState = { v: 1, scroll: Math.round(window.scrollY) };
    vscode.setState(state);
  };
  void client.request('ledger/open', null).then((received) => {
    draw(received);
    if (saved.success) window.scrollTo({ top: saved.output.scroll });
    window.addEventListener('scrollend', save);
    save();
  });
}

startPage(start);
