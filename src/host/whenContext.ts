import { DisposableOwner } from '../base/disposable.ts';
import { contextKeys } from './shared/contributions.ts';
import { setContextKey } from './shared/contextKey.ts';
import type { Services } from './settings/services.ts';

type WhenContextOptions = Pick<Services, 'active' | 'display' | 'log'>;

/** Keeps the context keys for `when` clauses up to date. */
export class WhenContext extends DisposableOwner {
  private readonly options: WhenContextOptions;
  private readonly lastValues = new Map<string, boolean>();

  constructor(options: WhenContextOptions) {
    super();
    this.options = options;
    for (const { onDidChange } of [options.active, options.display])
      this.disposables.add(onDidChange(() => this.update()));
    this.update();
  }

  private update(): void {
    const { state } = this.options.active;
    const { hasAccount, isReadOnly, isConnected, isPractice, privacy } = contextKeys;
    this.setKey(hasAccount, state.kind !== 'closed');
    const profile = state.kind === 'open' ? state.session.profile : undefined;
    this.setKey(isReadOnly, profile?.readOnly === true);
    this.setKey(isPractice, profile?.environment === 'practice');
    const isRead = state.kind === 'open' && state.session.store.state.snapshot !== undefined;
    this.setKey(isConnected, isRead && profile?.environment !== 'practice');
    this.setKey(privacy, this.options.display.current.settings.hidesMoney);
  }

  /** Sets only what changed: each call is a message to the window. */
  private setKey(key: Parameters<typeof setContextKey>[1], value: boolean): void {
    if (this.lastValues.get(key) === value) return;
    this.lastValues.set(key, value);
    setContextKey(this.options.log, key, value);
  }
}
