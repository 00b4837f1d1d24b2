import * as v from 'valibot';
import * as vscode from 'vscode';
import { Display, type DisplaySettings } from '../../base/display.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { isTimeZone } from '../../base/timeZone.ts';
import { confirm } from '../shared/confirm.ts';
import { StoredValue, type ValueStorage } from '../../base/storedValue.ts';
import { t } from '../shared/translate.ts';
import { onDidChangeSetting } from './settings.ts';
import { settingValue } from './settingValues.ts';

/**
 * How this window shows figures and times. Privacy applies to all windows and survives reloads. VS Code
 * has no event for a change by another window, so an open window reads the stored value when its focus
 * changes, and before it shows anything new (`latest`).
 */
export class DisplayState extends DisposableOwner {
  private readonly didChange = this.disposables.add(new Emitter<void>());
  private readonly storedPrivacy: StoredValue<boolean>;
  private display: Display;
  /** In this window, in place of the setting until that is changed. */
  private chosenDigits: DisplaySettings['digits'] | undefined;

  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(globalState: ValueStorage) {
    super();
    this.storedPrivacy = new StoredValue(globalState, 'marginDesk.hidesMoney', v.boolean(), {
      initial: false,
    });
    this.display = new Display(this.settings(this.storedPrivacy.get()));
    this.disposables.add(
      onDidChangeSetting(['marginDesk.timeZone'], () => this.update(this.hidesMoney)),
    );
    this.disposables.add(
      onDidChangeSetting(['marginDesk.digits'], () => {
        this.chosenDigits = undefined;
        this.update(this.hidesMoney);
      }),
    );
    this.disposables.add(
      vscode.window.onDidChangeWindowState(() => this.update(this.storedPrivacy.get())),
    );
  }

  get current(): Display {
    return this.display;
  }

  /**
   * `current`, after turning privacy on if another window did. Call it before showing anything new. It
   * never turns privacy off: shortly after a write, VS Code may still return the old value.
   */
  latest(): Display {
    if (this.storedPrivacy.get()) this.update(true);
    return this.display;
  }

  /** Takes effect at once, even if it cannot be stored. */
  async togglePrivacy(): Promise<void> {
    const hides = !this.hidesMoney;
    const storing = this.storedPrivacy.set(hides);
    this.update(hides);
    await storing;
  }

  toggleDigits(): void {
    this.chosenDigits = this.display.showsAllDigits ? 'compact' : 'all';
    this.update(this.hidesMoney);
  }

  private get hidesMoney(): boolean {
    return this.display.settings.hidesMoney;
  }

  private settings(hidesMoney: boolean): DisplaySettings {
    const local = localTimeZone();
    const setting = settingValue('marginDesk.timeZone');
    const timeZone = setting === 'local' ? local : setting;
    return {
      hidesMoney,
      digits: this.chosenDigits ?? settingValue('marginDesk.digits'),
      timeZone,
      otherTimeZone: timeZone === 'UTC' ? local : 'UTC',
      locale: vscode.env.language,
    };
  }

  private update(hidesMoney: boolean): void {
    const settings = this.settings(hidesMoney);
    if (JSON.stringify(settings) === JSON.stringify(this.display.settings)) return;
    this.display = new Display(settings);
    this.didChange.fire();
  }
}

function localTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

/**
 * Creates the confirmation for copying or exporting values that privacy hides. It asks only while
 * privacy is on, and not again in this window after the user agreed.
 */
export function createRealValuesConfirmation(display: DisplayState): () => Promise<boolean> {
  let confirmed = false;
  let asking: Promise<boolean> | undefined;
  return async () => {
    if (!display.latest().settings.hidesMoney || confirmed) return true;
    asking ??= askToUseRealValues().finally(() => (asking = undefined));
    confirmed = await asking;
    return confirmed;
  };
}

function askToUseRealValues(): Promise<boolean> {
  const detail = t(
    'Privacy mode hides amounts on screen. Copies and exports contain them in full. You are not asked again in this window.',
  );
  const question = t('Copy and export real values?');
  return confirm(question, detail, t('Copy Real Values'));
}
