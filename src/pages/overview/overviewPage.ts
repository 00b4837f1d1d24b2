import { render } from 'lit';
import * as v from 'valibot';
import {
  overviewDocumentSchema,
  overviewStateSchema,
  type OverviewAction,
  type OverviewEvents,
  type OverviewMethods,
  type OverviewState,
} from '../../protocol/overview.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { overviewView } from './overviewView.ts';

/** Draws what the host sends, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<OverviewMethods, OverviewEvents>(vscode, { 'overview/changed': draw });
  function draw(received: unknown): void {
    render(overviewView(v.parse(overviewDocumentSchema, received), press), root);
  }
  function press(action: OverviewAction): void {
    client.request('overview/press', action).catch(() => undefined);
  }
  const saved = v.safeParse(overviewStateSchema, vscode.getState());
  const save = (): void => {
    const state: OverviewState = { v: 1, scroll: Math.round(window.scrollY) };
    vscode.setState(state);
  };
  void client.request('overview/open', null).then((received) => {
    draw(received);
    if (saved.success) window.scrollTo({ top: saved.output.scroll });
    window.addEventListener('scrollend', save);
    save();
  });
}

const root = document.getElementById('app');
if (root) start(root);
