import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { DisplayState } from '../settings/displayState.ts';

const maxLength = 1_000_000;
const snapshotSchema = v.object({
  v: v.literal(1),
  kind: v.literal('snapshot'),
  stamp: v.string(),
  html: v.pipe(v.string(), v.maxLength(maxLength)),
});

type KeptPageOptions = {
  readonly display: DisplayState;
  readonly active: ActiveAccount;
  /** The HTML of a page that says this stamp with its snapshots. */
  readonly html: (stamp: string, snapshot: string) => string;
};

/**
 * Loads a page. VS Code discards a page that is hidden, and loads its HTML again when it is shown: that
 * has a snapshot of what was shown last, in memory only. A page leaves none once the account or the
 * display settings are others than when it was loaded.
 */
export class KeptPage implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly panel: vscode.WebviewPanel;
  private readonly options: KeptPageOptions;
  /** Of the page that is loaded. */
  stamp = '';
  private snapshot = '';
  /** Whether VS Code has HTML with a snapshot. */
  private isLoaded = false;
  private wasVisible: boolean;

  constructor(panel: vscode.WebviewPanel, options: KeptPageOptions) {
    this.panel = panel;
    this.options = options;
    this.wasVisible = panel.visible;
    const { display, active } = options;
    this.disposables.add(panel.webview.onDidReceiveMessage(this.receive));
    this.disposables.add(panel.onDidChangeViewState(this.onViewState));
    this.disposables.add(display.onDidChange(() => this.discard()));
    this.disposables.add(active.onDidSwitch(() => this.discard()));
    this.load();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private load(): void {
    this.stamp = randomUUID();
    this.isLoaded = this.snapshot !== '';
    this.panel.webview.html = this.options.html(this.stamp, this.snapshot);
  }

  private readonly receive = (message: unknown): void => {
    const received = v.safeParse(snapshotSchema, message);
    if (received.success && received.output.stamp === this.stamp)
      this.snapshot = received.output.html;
  };

  private readonly onViewState = (): void => {
    const { visible } = this.panel;
    if (this.wasVisible && !visible) this.load();
    this.wasVisible = visible;
  };

  /** A visible page is loaded again only if VS Code could show its snapshot again, as in another window. */
  private discard(): void {
    this.stamp = '';
    this.snapshot = '';
    if (this.isLoaded || !this.panel.visible) this.load();
  }
}
