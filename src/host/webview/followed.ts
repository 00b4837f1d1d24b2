import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';

type FollowedOptions<Result> = {
  /** `signal` is aborted once nobody needs the result. */
  readonly compute: (signal: AbortSignal) => Promise<Result>;
  readonly show: (result: Result) => void;
  /** Shows or logs what `compute` rejected with. */
  readonly fail: (error: unknown) => void;
  /** Changes come in bursts: how long after the first of them it is computed. */
  readonly delayMs: number;
  /** The least time between the starts of two computations that changes cause; 0 unless given. */
  readonly restMs?: () => number;
  /** Changes are not followed while nobody sees the result. Always visible unless given. */
  readonly isVisible?: () => boolean;
  readonly clock: Clock;
};

/** A result that is computed again when something that it is made of has changed. */
export class Followed<Result> implements Disposable {
  private readonly options: FollowedOptions<Result>;
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private current = new AbortController();
  private startedAt = Number.NEGATIVE_INFINITY;
  private stopTimer: (() => void) | undefined;

  constructor(options: FollowedOptions<Result>) {
    this.options = options;
  }

  /** Something has changed: computes after a delay. What is hidden has to be updated when it is shown again. */
  change(): void {
    if (!this.isVisible) return;
    this.stopTimer ??= this.options.clock.after(this.delayMs, () => {
      this.stopTimer = undefined;
      if (this.isVisible) void this.update();
    });
  }

  /**
   * Computes at once, also for what is hidden. While a computation runs, one more follows it, however often
   * this is called. Resolves once the result is shown.
   */
  update(): Promise<void> {
    this.next ??= this.runAfter(this.running, this.current.signal);
    return this.next;
  }

  /** What runs is of something that is no longer there: its result is not shown, and nothing waits for it. */
  stop(): void {
    this.cancelTimer();
    this.current.abort();
    this.current = new AbortController();
    this.running = Promise.resolve();
    this.next = undefined;
  }

  dispose(): void {
    this.stop();
  }

  private get isVisible(): boolean {
    return this.options.isVisible?.() ?? true;
  }

  /** The clock may be set back. */
  private get delayMs(): number {
    const { clock, delayMs } = this.options;
    const restMs = this.options.restMs?.() ?? 0;
    return Math.max(delayMs, Math.min(restMs, this.startedAt + restMs - clock.now()));
  }

  private async runAfter(before: Promise<void>, signal: AbortSignal): Promise<void> {
    await before;
    if (signal.aborted) return;
    this.next = undefined;
    this.cancelTimer();
    this.startedAt = this.options.clock.now();
    this.running = this.run(signal);
    await this.running;
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { compute, show, fail } = this.options;
    try {
      const result = await compute(signal);
      if (!signal.aborted) show(result);
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  private cancelTimer(): void {
    this.stopTimer?.();
    this.stopTimer = undefined;
  }
}
