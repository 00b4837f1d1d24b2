import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { inBackground } from './background.ts';
import { settingRanges, settings } from './contributions.ts';
import type { Log } from './log.ts';
import { onDidChangeWatching, settingsOutOfRange } from './watchSettings.ts';

/** Says of each setting out of its range, once, that its default counts. */
export class SettingWarnings implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly log: Log;
  private told: readonly string[] = [];

  constructor(log: Log) {
    this.log = log;
    this.disposables.add(onDidChangeWatching(() => this.warn()));
    this.warn();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private warn(): void {
    const keys = settingsOutOfRange();
    for (const key of keys) if (!this.told.includes(key)) this.tell(key);
    this.told = keys;
  }

  private tell(key: keyof typeof settingRanges): void {
    const [least, most] = settingRanges[key];
    const words = vscode.l10n.t(
      'The setting {0} must be a number from {1} to {2}: {3} counts.',
      key,
      least,
      most,
      settings[key],
    );
    inBackground(this.log, 'warning of a setting', vscode.window.showWarningMessage(words));
  }
}
