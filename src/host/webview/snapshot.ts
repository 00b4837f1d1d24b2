import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { systemClock } from '../../base/time.ts';
import type { DisplayState } from '../settings/displayState.ts';

const maxLength = 1_000_000;
const mostOpenings = 8;

/** What a page showed, as HTML. `isEarlier`: a panel showed it that was closed, perhaps long ago. */
export type Snapshot = {
  readonly html: string;
  readonly at: number;
  readonly isEarlier: boolean;
};

const messageSchema = v.object({
  kind: v.literal('snapshot'),
  stamp: v.string(),
  html: v.string(),
  isTouched: v.boolean(),
});

/** After each of these events, nothing that was shown before may be shown. */
type Outdating = {
  readonly display: Pick<DisplayState, 'onDidChange'>;
  readonly active: Pick<ActiveAccount, 'onDidSwitch'>;
};

/** What the panels of a page showed last before a person used them: a new panel begins with that. In memory only. */
export class OpeningSnapshots extends DisposableOwner {
  private readonly byPage = new Map<string, Snapshot>();

  constructor({ display, active }: Outdating) {
    super();
    for (const outdated of [display.onDidChange, active.onDidSwitch])
      this.disposables.add(outdated(() => this.byPage.clear()));
  }

  get(page: string): Snapshot | undefined {
    return this.byPage.get(page);
  }

  keep(page: string, snapshot: Snapshot): void {
    this.byPage.delete(page);
    this.byPage.set(page, { ...snapshot, isEarlier: true });
    for (const oldest of [...this.byPage.keys()].slice(0, -mostOpenings))
      this.byPage.delete(oldest);
  }
}

export type LoadOptions = Outdating & {
  readonly openings: OpeningSnapshots;
  /** What every new panel of this page shows the same of; undefined for one that opens otherwise. */
  readonly opening: () => string | undefined;
  /** The page is being loaded for the first time. */
  readonly loading: (stamp: string) => void;
  /** What was computed for a page that has not asked for it is outdated. */
  readonly outdated: () => void;
  /** The HTML of a page that says this stamp with its snapshots. */
  readonly html: (stamp: string, snapshot: Snapshot | undefined) => string;
};

/**
 * Loads a page, once VS Code knows of its panel: it opens the panel meanwhile. VS Code discards a page that is hidden,
 * and loads its HTML again when it is shown: that has a snapshot of what was shown last, in memory only. A page leaves
 * none once the account or the display settings are others than when it was loaded.
 */
export function loadPage(
  panel: vscode.WebviewPanel,
  { display, active, openings, opening, loading, outdated, html }: LoadOptions,
): void {
  let stamp = '';
  let snapshot: Snapshot | undefined;
  let loaded: Snapshot | undefined;
  let isOpening = true;
  const load = (): void => {
    stamp = randomUUID();
    loaded = snapshot;
    panel.webview.html = html(stamp, snapshot);
  };
  const stopFirst = systemClock.after(0, () => {
    snapshot = openings.get(opening() ?? '');
    load();
    loading(stamp);
  });
  const loadAgain = (): void => {
    stopFirst();
    isOpening = false;
    load();
  };
  /** A visible page is loaded again only if VS Code could show its snapshot again, as in another window. */
  const discard = (): void => {
    stamp = '';
    snapshot = undefined;
    outdated();
    if (loaded || !panel.visible) loadAgain();
  };
  panel.webview.onDidReceiveMessage((message: unknown) => {
    const received = v.safeParse(messageSchema, message);
    if (!received.success || received.output.stamp !== stamp) return;
    const { html: shown, isTouched } = received.output;
    isOpening &&= !isTouched;
    const fits = shown.length <= maxLength;
    snapshot = fits ? { html: shown, at: systemClock.now(), isEarlier: false } : undefined;
    const page = opening();
    if (snapshot && isOpening && page !== undefined) openings.keep(page, snapshot);
  });
  panel.onDidChangeViewState(() => {
    if (!panel.visible) loadAgain();
  });
  const changes = [display.onDidChange(discard), active.onDidSwitch(discard)];
  panel.onDidDispose(() => {
    stopFirst();
    changes.forEach((change) => change.dispose());
  });
}
