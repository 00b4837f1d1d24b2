import * as vscode from 'vscode';
import type { CancelAll } from '../../account/cancelAll/cancelAll.ts';
import { fateOf } from '../../account/cancelAll/outcome.ts';
import type { CancelState } from '../../account/cancelAll/states.ts';
import type { Disposable } from '../../base/disposable.ts';
import { views } from '../contributions.ts';

/** Shows where a cancel-all is: in the view while it plans, in a notification from the sending on. */
export class CancelProgress implements Disposable {
  private say: (message: string) => void = () => undefined;
  private end: () => void = () => undefined;
  private readonly listening: Disposable;

  constructor(cancelAll: CancelAll) {
    this.listening = cancelAll.onDidChange((state) => this.show(state));
  }

  dispose(): void {
    this.listening.dispose();
    this.end();
  }

  private show(state: CancelState): void {
    switch (state.at) {
      case 'planning':
        this.begin({ location: { viewId: views.positions } });
        break;
      case 'sending':
        this.begin({
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Cancelling every open order …'),
        });
        break;
      case 'verifying':
        this.say(
          fateOf(state.ended) === 'unknown'
            ? vscode.l10n.t('The outcome is unknown; reading what is locked …')
            : vscode.l10n.t('Reading what is still locked …'),
        );
        break;
      case 'idle':
      case 'confirming':
      case 'reported':
        this.end();
        break;
      default:
        state satisfies never;
    }
  }

  /** VS Code calls back some time later: the end may come before. */
  private begin(options: vscode.ProgressOptions): void {
    this.end();
    const ended = new Promise<void>((end) => {
      this.end = end;
    });
    void vscode.window.withProgress(options, (progress) => {
      this.say = (message) => progress.report({ message });
      return ended;
    });
  }
}
