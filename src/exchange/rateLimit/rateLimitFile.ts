import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { minuteMs, type Clock } from '../../base/time.ts';
import { IntentFolder, withIntents } from './intents.ts';
import { fromFileTimes, mergeStates, toFileTimes } from './normalizeState.ts';
import {
  emptyState,
  type Charge,
  type ClockReading,
  type RateLimitState,
} from './rateLimitState.ts';
import { parseState, type RateLimitStore, type StateUpdate } from './rateLimitStore.ts';
import { replaceFile } from './replaceFile.ts';

type RateLimitFileOptions = {
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock that all windows share; those of `clock` unless given. */
  readonly monotonicNow?: () => number;
  /** Called when the file cannot be used and this window continues with a state of its own. */
  readonly onProblem: (error: unknown) => void;
};

const unreadablePauseMs = minuteMs;
const retryMs = minuteMs;
/** For a file that another program holds for a moment, as a virus scanner may. */
const patienceMs = 300;
const pauseMs = 20;

/**
 * The state that all windows of one user share: a JSON file, replaced as a whole, and a folder with
 * the intents that it does not hold yet. A file with unreadable content counts as a pause of a minute.
 * A file that cannot be read for a moment counts as unchanged. While it cannot be written, this window
 * has a state of its own, which says so; it tries the file again once a minute, and adds what it counted.
 */
export class RateLimitFile implements RateLimitStore {
  private readonly options: RateLimitFileOptions;
  private readonly file: string;
  private readonly intents: IntentFolder;
  /** The state of this window alone, since the file failed. */
  private ownState: RateLimitState | undefined;
  private retryAt = 0;
  /** The content of the file when it was read last, so that the same text is not parsed again. */
  private lastText: string | undefined;
  private lastState: RateLimitState = emptyState;
  /** The file was deleted, or replaced by a window that had not read it: other windows count less. */
  private knowsMore = false;
  private restoring: Promise<void> | undefined;

  constructor(options: RateLimitFileOptions) {
    this.options = options;
    this.file = path.join(options.folder, options.name);
    this.intents = new IntentFolder(`${this.file}.intents`);
  }

  read(): RateLimitState {
    if (this.ownState) return this.ownState;
    const state = valueOr(
      () => this.loadWithIntents(this.intents.all()),
      () => this.lastState,
    );
    if (this.knowsMore) this.restore();
    return state;
  }

  private restore(): void {
    const end = (): void => {
      this.restoring = undefined;
    };
    this.restoring ??= this.update((state) => state).finally(end);
  }

  async update(change: StateUpdate): Promise<void> {
    try {
      if (!this.ownState || this.now().steadyMs >= this.retryAt) {
        await retryBriefly(() =>
          this.replace((state) =>
            change(this.ownState ? mergeStates(state, this.ownState) : state),
          ),
        );
        this.ownState = undefined;
        return;
      }
    } catch (error) {
      this.goOnAlone(error);
    }
    this.ownState = unshared(change(this.ownState ?? this.lastState));
  }

  addIntent(intent: Charge): readonly Charge[] {
    if (this.ownState) return [];
    return valueOr(
      () => {
        this.intents.add(intent);
        return this.intents.all();
      },
      () => [],
    );
  }

  removeIntent(intent: Charge): void {
    valueOr(
      () => this.intents.remove(intent),
      () => undefined,
    );
  }

  private async replace(change: StateUpdate): Promise<void> {
    mkdirSync(this.options.folder, { recursive: true });
    let counted: readonly Charge[] = [];
    let [text, state] = ['', emptyState];
    await replaceFile(this.file, () => {
      counted = this.intents.all();
      state = change(this.loadWithIntents(counted));
      state = { ...state, fileId: state.fileId || crypto.randomUUID() };
      text = JSON.stringify(toFileTimes(state, this.now()));
      return text;
    });
    this.remember(text, state);
    this.knowsMore = false;
    for (const intent of counted) this.intents.remove(intent);
  }

  /** Intents are read before the file: one that is counted meanwhile is in one of the two. */
  private loadWithIntents(intents: readonly Charge[]): RateLimitState {
    return withIntents(this.load(), intents, this.now().steadyMs);
  }

  private load(): RateLimitState {
    const text = readIfExists(this.file);
    if (text === undefined) {
      this.knowsMore ||= this.lastText !== undefined;
      return { ...this.lastState, fileId: '' };
    }
    if (text === this.lastText) return this.lastState;
    this.remember(text, this.parse(text));
    return this.lastState;
  }

  /** A file that replaced the one that this window knew lacks what it counted. */
  private parse(text: string): RateLimitState {
    const now = this.now();
    const stored = parseState(text);
    const pausedUntil = now.steadyMs + unreadablePauseMs;
    if (!stored) return { ...this.lastState, fileId: '', pausedUntil };
    const state = fromFileTimes(stored, now);
    if (state.fileId === this.lastState.fileId) return state;
    this.knowsMore = this.lastText !== undefined;
    return mergeStates(state, this.lastState);
  }

  private remember(text: string, state: RateLimitState): void {
    this.lastText = text;
    this.lastState = state;
  }

  private goOnAlone(error: unknown): void {
    this.retryAt = this.now().steadyMs + retryMs;
    if (this.ownState) return;
    this.ownState = unshared(this.lastState);
    this.options.onProblem(error);
  }

  private now(): ClockReading {
    const { clock, monotonicNow = () => clock.now() } = this.options;
    return { wallMs: clock.now(), steadyMs: monotonicNow() };
  }
}

function unshared(state: RateLimitState): RateLimitState {
  return { ...state, isUnshared: true };
}

/** What `use` of the file gives, or `fallback` if it fails: the next update finds out if that lasts. */
function valueOr<T>(use: () => T, fallback: () => T): T {
  try {
    return use();
  } catch {
    return fallback();
  }
}

async function retryBriefly(use: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;)
    try {
      await use();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await setTimeout(pauseMs);
    }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
