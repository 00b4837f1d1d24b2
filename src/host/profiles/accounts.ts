import type * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { Session } from '../../account/session.ts';
import { systemClock } from '../../base/clock.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { fetchers } from '../../exchange/fetch.ts';
import type { Log } from '../log.ts';
import { defaultProfileSetting, httpSetting } from '../settings.ts';
import { practiceName, type PracticeExchange } from './practice.ts';

const activeProfileKey = 'marginDesk.activeProfile';

/** Opens accounts by their profile's name, and remembers which one this window had open. */
export class Accounts {
  private readonly active: ActiveAccount;
  private readonly practice: PracticeExchange;
  private readonly memory: vscode.Memento;
  private readonly log: Log;

  constructor(active: ActiveAccount, practice: PracticeExchange, memory: vscode.Memento, log: Log) {
    this.active = active;
    this.practice = practice;
    this.memory = memory;
    this.log = log;
  }

  /** Opens an account; rejects with a sentence when its profile is unknown or cannot start. */
  async open(name: string): Promise<Session> {
    const session = await this.active.open(name, () => this.connect(name));
    await this.memory.update(activeProfileKey, name);
    return session;
  }

  /** What this window had open before it was reloaded, else what the settings say a new one opens. */
  async restore(): Promise<void> {
    const name = this.memory.get<string>(activeProfileKey) ?? defaultProfileSetting();
    if (name !== '') await this.open(name);
  }

  private async connect(name: string): Promise<Session> {
    if (name !== practiceName) throw new SentenceError(`There is no profile named ${name}.`);
    const { profile, credentials } = await this.practice.start();
    return new Session({
      profile,
      credentials,
      fetch: (url, request) => fetchers[httpSetting()](url, request),
      clock: systemClock,
      onRequest: (record) => this.log.request(record),
    });
  }
}
