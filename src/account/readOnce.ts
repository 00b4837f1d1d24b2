import type { Clock } from '../base/clock.ts';
import { soon } from '../base/deadline.ts';

const patienceMs = 1000;

/** Something of the exchange that does not change while an account is open: read when it is first asked for. */
export class ReadOnce<Value> {
  private readonly read: () => Promise<Value>;
  private readonly clock: Clock;
  private reading: Promise<Value | undefined> | undefined;
  private value: Value | undefined;

  constructor(read: () => Promise<Value>, clock: Clock) {
    this.read = read;
    this.clock = clock;
  }

  /** What was read; undefined until then. */
  get known(): Value | undefined {
    return this.value;
  }

  /** Undefined where it could not be read: whoever asks next reads again. */
  get(): Promise<Value | undefined> {
    if (this.value !== undefined) return Promise.resolve(this.value);
    this.reading ??= this.start();
    return this.reading;
  }

  /** The same for those who do not wait longer than a second. */
  soon(): Promise<Value | undefined> {
    return soon(this.clock, patienceMs, this.get());
  }

  private async start(): Promise<Value | undefined> {
    try {
      this.value = await this.read();
    } catch {
      // What could not be read is unknown; the log has the request.
    }
    this.reading = undefined;
    return this.value;
  }
}
