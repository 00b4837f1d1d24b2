import { render } from 'lit';
import * as v from 'valibot';
import {
  reconciliationDocumentSchema,
  type ReconciliationEvents,
  type ReconciliationMethods,
  type RowPlace,
} from '../../protocol/reconciliationMessages.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { reconciliationView } from './reconciliationView.ts';

/** Draws what the host sends, and passes its buttons on to it. */
function start(root: HTMLElement): void {
  const client = hostClient<ReconciliationMethods, ReconciliationEvents>(acquireApi(), {
    'reconciliation/changed': draw,
  });
  function draw(received: unknown): void {
    const document = v.parse(reconciliationDocumentSchema, received);
    render(reconciliationView(document, { refresh, show }), root);
  }
  function refresh(): Promise<unknown> {
    return client.request('reconciliation/refresh', null);
  }
  function show(place: RowPlace): Promise<unknown> {
    return client.request('reconciliation/show', place);
  }
  void client.request('reconciliation/open', null).then(draw);
}

startPage(start);
