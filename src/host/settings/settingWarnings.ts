import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.ts';
import { settings } from '../shared/contributions.ts';
import { logRejection, type Log } from '../shared/log.ts';
import { t } from '../shared/translate.ts';
import { riskLimitsSetting } from './riskAssessment.ts';
import { onDidChangeSetting } from './settings.ts';
import { isValidSetting, settingRules, userSetting, type ValidatedKey } from './settingValues.ts';

/** Warns about invalid settings, once for each value. */
export class SettingWarnings extends DisposableOwner {
  private readonly log: Log;
  private reported: ReadonlySet<string> = new Set();

  constructor(log: Log) {
    super();
    this.log = log;
    this.disposables.add(onDidChangeSetting(['marginDesk'], () => this.reportNewProblems()));
    this.reportNewProblems();
  }

  private reportNewProblems(): void {
    const problems = [...invalidSettings(), ...invalidRiskLimits()];
    for (const { key, message } of problems) if (!this.reported.has(key)) this.showWarning(message);
    this.reported = new Set(problems.map(({ key }) => key));
  }

  private showWarning(message: string): void {
    logRejection(this.log, 'warning about a setting', vscode.window.showWarningMessage(message));
  }
}

/** `key` identifies the setting and its value. */
type SettingProblem = { readonly key: string; readonly message: string };

function invalidSettings(): readonly SettingProblem[] {
  const keys = (Object.keys(settingRules) as ValidatedKey[]).filter((key) => !isValidSetting(key));
  return keys.map((key) => ({
    key: JSON.stringify([key, userSetting(key)]),
    message: settingRules[key].warning(key),
  }));
}

/** Each percentage can be valid alone and the two invalid together. */
function invalidRiskLimits(): readonly SettingProblem[] {
  if (riskLimitsSetting()) return [];
  const keys = ['marginDesk.criticalPercent', 'marginDesk.nearPercent'] as const;
  const message = t(
    'The settings marginDesk.criticalPercent and marginDesk.nearPercent must be above 0 and at most 100, and the first must not exceed the second. Using {0} and {1}.',
    ...keys.map((key) => settings[key]),
  );
  return [{ key: JSON.stringify(keys.map((key) => [key, userSetting(key)])), message }];
}
