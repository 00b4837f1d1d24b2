import * as vscode from 'vscode';
import { Display, type DisplaySettings } from '../base/display.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { isTimeZone } from '../base/timeZone.ts';
import { onDidChangeTimeZone, timeZoneSetting } from './settings.ts';

const privacyKey = 'hidesMoney';

/**
 * How this window shows figures and times now. Privacy is kept over reloads and for all windows: one
 * that is open already takes it over when it gets or loses the focus, and begins to hide also before
 * it says or draws what is new; VS Code tells nobody that another window wrote.
 */
export class DisplayState implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new Emitter<void>());
  private readonly memory: vscode.Memento;
  private display: Display;

  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(memory: vscode.Memento) {
    this.memory = memory;
    this.display = new Display(this.settings(this.isKept));
    this.disposables.add(onDidChangeTimeZone(() => this.follow(this.hidesMoney)));
    this.disposables.add(vscode.window.onDidChangeWindowState(() => this.follow(this.isKept)));
  }

  get current(): Display {
    return this.display;
  }

  /**
   * `current`, after a look whether another window hides: for words that stay as they are once said.
   * It never shows again: VS Code's memory tells an old value for a moment after each write of ours.
   */
  latest(): Display {
    if (this.isKept) this.follow(true);
    return this.display;
  }

  /** Hides amounts, or shows them again; at once, also when it cannot be kept. */
  async togglePrivacy(): Promise<void> {
    const hides = !this.hidesMoney;
    this.follow(hides);
    await this.memory.update(privacyKey, hides);
    // Another write that was under way may have taken its place.
    if (this.isKept !== hides) await this.memory.update(privacyKey, hides);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private get isKept(): boolean {
    return this.memory.get(privacyKey) === true;
  }

  private get hidesMoney(): boolean {
    return this.display.settings.hidesMoney;
  }

  private settings(hidesMoney: boolean): DisplaySettings {
    const local = localTimeZone();
    const wanted = timeZoneSetting();
    const timeZone = wanted === 'local' ? local : wanted;
    return {
      hidesMoney,
      timeZone,
      otherTimeZone: timeZone === 'UTC' ? local : 'UTC',
      locale: vscode.env.language,
    };
  }

  private follow(hidesMoney: boolean): void {
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
