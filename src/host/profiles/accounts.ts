import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { Session } from '../../account/session.ts';
import { systemClock } from '../../base/clock.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { fetchers } from '../../exchange/fetch.ts';
import type { Log } from '../log.ts';
import { defaultProfileSetting, httpSetting } from '../settings.ts';
import { quoted } from '../words.ts';
import type { Login } from './login.ts';
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

  /** Opens an account by name; rejects with a sentence when its profile is unknown or cannot start. */
  async open(name: string): Promise<Session> {
    const session = await this.active.open(name, async () => this.connect(await this.login(name)));
    await this.memory.update(activeProfileKey, name);
    return session;
  }

  /** Opens an account whose profile and credentials are at hand; it is not remembered. */
  use(login: Login): Promise<Session> {
    return this.active.open(login.profile.name, () => Promise.resolve(this.connect(login)));
  }

  /** What this window had open before it was reloaded, else what the settings say a new one opens. */
  async restore(): Promise<void> {
    const name = this.memory.get<string>(activeProfileKey) ?? defaultProfileSetting();
    if (name !== '') await this.open(name);
  }

  private login(name: string): Promise<Login> {
    if (name === practiceName) return this.practice.start();
    return Promise.reject(
      new SentenceError(vscode.l10n.t('There is no profile named “{0}”.', quoted(name))),
    );
  }

  private connect({ profile, credentials }: Login): Session {
    return new Session({
      profile,
      credentials,
      fetch: (url, request) => fetchers[httpSetting()](url, request),
      clock: systemClock,
      onRequest: (record) => this.log.request(record),
    });
  }
}
