import { render } from 'lit';
import { minuteMs, systemClock } from '../../base/time.ts';
import type { TableEvents, TableMethods } from '../../protocol/tableMessages.ts';
import type { TableTexts } from '../../protocol/texts.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { formatTexts } from './state/pageTexts.ts';
import { RowsFocus } from './rowsFocus.ts';
import { TableController } from './state/tableController.ts';
import { pageView } from './view/pageView.ts';

/** Rows have no deadline here, because the host has one for each request to the exchange. */
const deadlineMs = (name: keyof TableMethods): number | null =>
  name === 'table/page' || name === 'table/synchronise' ? null : minuteMs;

function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const { table, scope } = root.dataset;
  const texts = JSON.parse(root.dataset.texts ?? '') as TableTexts;
  const rowsFocus = new RowsFocus();
  const client = hostClient<TableMethods, TableEvents>(
    vscode,
    {
      'table/context': (context) => controller.dispatch({ kind: 'contextChanged', context }),
      'table/display': (shown) => controller.dispatch({ kind: 'displayChanged', ...shown }),
      'grid/copied': (selection) =>
        controller.dispatch({ kind: 'grid', action: { kind: 'copied', selection } }),
      'grid/command': (command) => controller.dispatch({ kind: 'gridCommanded', command }),
      'table/newer': ({ pageId }) => controller.dispatch({ kind: 'newerRowsAvailable', pageId }),
      'table/changed': ({ pageId }) => controller.dispatch({ kind: 'ledgerChanged', pageId }),
      'table/reopen': () => controller.dispatch({ kind: 'reopenRequested' }),
    },
    deadlineMs,
  );
  const controller = new TableController({
    client,
    texts: formatTexts(texts, document.documentElement.lang),
    clock: systemClock,
    draw: (state, now) => {
      render(pageView(state, now, controller.dispatch), root);
      rowsFocus.afterDraw();
    },
  });
  vscode.setState({ v: 1, table, scope });
  window.addEventListener('blur', controller.keep);
  document.addEventListener('visibilitychange', controller.keep);
  controller.start();
}

startPage(start);
