import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { inBackground } from './background.ts';
import { settings } from './contributions.ts';
import type { Log } from './log.ts';
import { isTaken, settingRules, type RuledKey } from './settingRules.ts';
import { onDidChangeSetting, riskLimitsSetting } from './settings.ts';
import { userValue } from './userValue.ts';

/** Says of each setting whose value it does not take, once a value, that its default counts. */
export class SettingWarnings implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly log: Log;
  private told: ReadonlySet<string> = new Set();

  constructor(log: Log) {
    this.log = log;
    this.disposables.add(onDidChangeSetting(['marginDesk'], () => this.warn()));
    this.warn();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private warn(): void {
    const problems = [...ruledProblems(), ...riskProblems()];
    for (const { subject, words } of problems) if (!this.told.has(subject)) this.tell(words);
    this.told = new Set(problems.map(({ subject }) => subject));
  }

  private tell(words: string): void {
    inBackground(this.log, 'warning of a setting', vscode.window.showWarningMessage(words));
  }
}

/** `subject` is the same as long as the same value stands there. */
type Problem = { readonly subject: string; readonly words: string };

function ruledProblems(): readonly Problem[] {
  const keys = (Object.keys(settingRules) as RuledKey[]).filter((key) => !isTaken(key));
  return keys.map((key) => ({
    subject: JSON.stringify([key, userValue(key)]),
    words: settingRules[key].warning(key),
  }));
}

/** Each may be fine by itself and the two be none together. */
function riskProblems(): readonly Problem[] {
  if (riskLimitsSetting()) return [];
  const keys = ['marginDesk.criticalPercent', 'marginDesk.nearPercent'] as const;
  const words = vscode.l10n.t(
    'The settings marginDesk.criticalPercent and marginDesk.nearPercent must be above 0 and at most 100, and the first no more than the second: {0} and {1} count.',
    ...keys.map((key) => settings[key]),
  );
  return [{ subject: JSON.stringify(keys.map((key) => [key, userValue(key)])), words }];
}
