import { render } from 'lit';
import * as v from 'valibot';
import {
  reportDocumentSchema,
  type ReportEvents,
  type ReportMethods,
} from '../../protocol/connectionReport.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { reportView, type ReportActions } from './reportView.ts';

/** Draws what the host sends, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<ReportMethods, ReportEvents>(vscode, {
    'report/changed': (changed) => draw(changed),
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

startPage(start);
