import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { DisplayState } from '../settings/displayState.ts';

const maxLength = 1_000_000;

/** What a page showed, as HTML, and when, in words. */
export type Snapshot = { readonly html: string; readonly time: string };

const messageSchema = v.object({
  kind: v.literal('snapshot'),
  stamp: v.string(),
  html: v.string(),
});

type LoadOptions = {
  readonly display: Pick<DisplayState, 'onDidChange'>;
  readonly active: Pick<ActiveAccount, 'onDidSwitch'>;
  /** What was computed for a page that has not asked for it is outdated. */
  readonly outdated: () => void;
  /** The HTML of a page that says this stamp with its snapshots. */
  readonly html: (stamp: string, snapshot: Snapshot | undefined) => string;
  /** Now, in words. */
  readonly time: () => string;
};

/**
 * Loads a page and returns its stamp. VS Code discards a page that is hidden, and loads its HTML again when
 * it is shown: that has a snapshot of what was shown last, in memory only. A page leaves none once the
 * account or the display settings are others than when it was loaded.
 */
export function loadPage(
  panel: vscode.WebviewPanel,
  { display, active, outdated, html, time }: LoadOptions,
): string {
  let stamp = '';
  let snapshot: Snapshot | undefined;
  let loaded: Snapshot | undefined;
  const load = (): void => {
    stamp = randomUUID();
    loaded = snapshot;
    panel.webview.html = html(stamp, snapshot);
  };
  /** A visible page is loaded again only if VS Code could show its snapshot again, as in another window. */
  const discard = (): void => {
    stamp = '';
    snapshot = undefined;
    outdated();
    if (loaded || !panel.visible) load();
  };
  panel.webview.onDidReceiveMessage((message: unknown) => {
    const received = v.safeParse(messageSchema, message);
    if (!received.success || received.output.stamp !== stamp) return;
    const { html: shown } = received.output;
    snapshot = shown.length > maxLength ? undefined : { html: shown, time: time() };
  });
  panel.onDidChangeViewState(() => {
    if (!panel.visible) load();
  });
  const changes = [display.onDidChange(discard), active.onDidSwitch(discard)];
  panel.onDidDispose(() => changes.forEach((change) => change.dispose()));
  load();
  return stamp;
}
