import { render } from 'lit';
import * as v from 'valibot';
import { systemClock } from '../../base/time.ts';
import {
  reportDocumentSchema,
  type ReportEvents,
  type ReportMethods,
} from '../../protocol/connectionReport.ts';
import { RpcClient } from '../../protocol/rpcClient.ts';
import { acquireApi, hostPort } from '../hostPort.ts';
import { reportView, type ReportActions } from './reportView.ts';

/** Draws what the host sends, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = new RpcClient<ReportMethods, ReportEvents>({
    port: hostPort(vscode),
    clock: systemClock,
    idPrefix: crypto.randomUUID(),
    // The host answers at once, or waits for the user.
    deadlineMs: () => null,
    listeners: { 'report/changed': (changed) => draw(changed) },
  });
  let shown: unknown;
  let isCopied = false;
  const draw = (received: unknown): void => {
    shown = received;
    const report = v.parse(reportDocumentSchema, received);
    vscode.setState(report.state);
    render(reportView(report, { isCopied, actions }), root);
  };
  const actions: ReportActions = {
    test: () => client.request('report/test', null),
    copy: async () => {
      await client.request('report/copy', null);
      isCopied = true;
      draw(shown);
    },
    override: (key) => client.request('report/override', key),
  };
  void client.request('report/open', null).then(draw);
}

const root = document.getElementById('app');
if (root) start(root);
