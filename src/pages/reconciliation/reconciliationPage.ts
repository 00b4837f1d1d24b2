import { render } from 'lit';
import * as v from 'valibot';
import {
  reconciliationDocumentSchema,
  type ReconciliationEvents,
  type ReconciliationMethods,
} from '../../protocol/reconciliationMessages.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { reconciliationView } from './reconciliationView.ts';

/** Draws what the host sends, and passes the button on to it. */
function start(root: HTMLElement): void {
  const client = hostClient<ReconciliationMethods, ReconciliationEvents>(acquireApi(), {
    'reconciliation/changed': draw,
  });
  function draw(received: unknown): void {
    render(reconciliationView(v.parse(reconciliationDocumentSchema, received), refresh), root);
  }
  function refresh(): Promise<unknown> {
    return client.request('reconciliation/refresh', null);
  }
  void client.request('reconciliation/open', null).then(draw);
}

const root = document.getElementById('app');
if (root) start(root);
