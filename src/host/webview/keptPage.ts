import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { DisplayState } from '../settings/displayState.ts';

const maxLength = 1_000_000;
const snapshotSchema = v.object({
  v: v.literal(1),
  kind: v.literal('snapshot'),
  stamp: v.string(),
  html: v.pipe(v.string(), v.maxLength(maxLength)),
});

type KeptPageOptions = {
  readonly display: Pick<DisplayState, 'onDidChange'>;
  readonly active: Pick<ActiveAccount, 'onDidSwitch'>;
  /** What was computed for a page that has not asked for it is outdated. */
  readonly outdated: () => void;
  /** The HTML of a page that says this stamp with its snapshots. */
  readonly html: (stamp: string, snapshot: string) => string;
};

/**
 * Loads a page and returns its stamp. VS Code discards a page that is hidden, and loads its HTML again when
 * it is shown: that has a snapshot of what was shown last, in memory only. A page leaves none once the
 * account or the display settings are others than when it was loaded.
 */
export function keepPage(
  panel: vscode.WebviewPanel,
  { display, active, outdated, html }: KeptPageOptions,
): string {
  let [stamp, snapshot, loaded] = ['', '', ''];
  const load = (): void => {
    stamp = randomUUID();
    loaded = snapshot;
    panel.webview.html = html(stamp, snapshot);
  };
  /** A visible page is loaded again only if VS Code could show its snapshot again, as in another window. */
  const discard = (): void => {
    [stamp, snapshot] = ['', ''];
    outdated();
    if (loaded !== '' || !panel.visible) load();
  };
  panel.webview.onDidReceiveMessage((message: unknown) => {
    const received = v.safeParse(snapshotSchema, message);
    if (received.success && received.output.stamp === stamp) snapshot = received.output.html;
  });
  panel.onDidChangeViewState(() => {
    if (!panel.visible) load();
  });
  const changes = [display.onDidChange(discard), active.onDidSwitch(discard)];
  panel.onDidDispose(() => changes.forEach((change) => change.dispose()));
  load();
  return stamp;
}
