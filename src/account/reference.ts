import type { Clock } from '../base/clock.ts';
import { soon } from '../base/deadline.ts';

const patienceMs = 1000;
const freshMs = 3_600_000;

/** What was read, and when, in epoch milliseconds. */
export type Known<Value> = { readonly value: Value; readonly readAt: number };

/** Something of the exchange that seldom changes: read when it is asked for, and again after an hour. */
export class Reference<Value> {
  private readonly read: () => Promise<Value>;
  private readonly clock: Clock;
  private reading: Promise<Value | undefined> | undefined;
  private last: Known<Value> | undefined;

  constructor(read: () => Promise<Value>, clock: Clock) {
    this.read = read;
    this.clock = clock;
  }

  /** What was read last, however long ago; undefined until then. */
  get known(): Known<Value> | undefined {
    return this.last;
  }

  /** Whether what is known was read within the last hour. */
  get isFresh(): boolean {
    const ageMs = this.last ? this.clock.now() - this.last.readAt : Infinity;
    return ageMs >= 0 && ageMs < freshMs;
  }

  /** Where it could not be read, what is known; whoever asks next reads again. */
  get(): Promise<Value | undefined> {
    if (this.isFresh) return Promise.resolve(this.last?.value);
    this.reading ??= this.start();
    return this.reading;
  }

  /** The same for those who do not wait longer than a second. */
  async soon(): Promise<Value | undefined> {
    return (await soon(this.clock, patienceMs, this.get())) ?? this.last?.value;
  }

  private async start(): Promise<Value | undefined> {
    try {
      this.last = { value: await this.read(), readAt: this.clock.now() };
    } catch {
      // What could not be read stays as it is known; the log has the request.
    }
    this.reading = undefined;
    return this.last?.value;
  }
}
