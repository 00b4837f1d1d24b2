import { render } from 'lit';
import { systemClock } from '../../base/clock.ts';
import { Asker } from '../../protocol/asker.ts';
import type { TableEvents, TableMethods } from '../../protocol/table.ts';
import type { TableTexts } from '../../protocol/tableTexts.ts';
import { TableSession } from './session.ts';
import type { Dispatch } from './view/dispatch.ts';
import { pageView } from './view/page.ts';
import { hostPort, type VsCodeApi } from './vscodeApi.ts';
import { wordsOf } from './words.ts';

declare function acquireVsCodeApi(): VsCodeApi;

/** A page of rows has the host's own deadlines: each of its reads has one, and a long period takes many. */
const deadlineMs = (name: keyof TableMethods): number | null =>
  name === 'table/page' ? null : 60_000;

function start(app: HTMLElement): void {
  const vscode = acquireVsCodeApi();
  const texts = JSON.parse(app.dataset.texts ?? '') as TableTexts;
  const words = wordsOf(texts, document.documentElement.lang);
  const host = new Asker<TableMethods, TableEvents>({
    port: hostPort(vscode),
    clock: systemClock,
    epoch: crypto.randomUUID(),
    deadlineMs,
    listeners: {
      'table/context': (context) => session.dispatch({ kind: 'contextChanged', context }),
      'table/display': (shown) => session.dispatch({ kind: 'displayChanged', ...shown }),
      'table/copied': () => session.dispatch({ kind: 'copied' }),
      'table/newer': ({ page }) => session.dispatch({ kind: 'newerOffered', page }),
      'table/reopen': () => session.dispatch({ kind: 'reopened' }),
    },
  });
  const dispatch: Dispatch = (action) => session.dispatch(action);
  const session = new TableSession({
    words,
    ask: (name, params, signal) => host.request(name, params, signal),
    clock: systemClock,
    load: () => vscode.getState(),
    save: (state) => vscode.setState(state),
    draw: (state, now) => render(pageView(state, now, dispatch), app),
  });
  // A page that has kept nothing yet is still known by its table when the window is reloaded.
  if (vscode.getState() === undefined) vscode.setState({ v: 1, table: app.dataset.table });
  session.start();
}

const app = document.getElementById('app');
if (app) start(app);
