import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Partials } from './partials.ts';

const everyMs = 3_600_000;

export type PartialSweepOptions = {
  readonly partials: Pick<Partials, 'sweep'>;
  readonly clock: Clock;
  /** How many exports were removed, where it is not 0. */
  readonly onRemoved: (count: number) => void;
  readonly onProblem: (error: unknown) => void;
};

/** Removes old unfinished exports: at once, every hour, and whenever it is told to. */
export class PartialSweep implements Disposable {
  private readonly options: PartialSweepOptions;
  private cancelTimer: () => void = () => undefined;

  constructor(options: PartialSweepOptions) {
    this.options = options;
    this.run();
  }

  run(): void {
    const { partials, clock, onRemoved, onProblem } = this.options;
    this.cancelTimer();
    this.cancelTimer = clock.after(everyMs, () => this.run());
    partials.sweep().then((count) => {
      if (count > 0) onRemoved(count);
    }, onProblem);
  }

  dispose(): void {
    this.cancelTimer();
  }
}
