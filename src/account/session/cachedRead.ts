import { withinOrUndefined } from '../../base/abort.ts';
import { hourMs, secondMs, type Clock } from '../../base/time.ts';

const patienceMs = secondMs;
const maxAgeMs = hourMs;

/** What was read, and when, in epoch milliseconds. */
type CachedValue<Value> = { readonly value: Value; readonly readAt: number };

/** Reference data of the exchange that seldom changes: read on first use, and again after an hour. */
export class CachedRead<Value> {
  private readonly read: () => Promise<Value>;
  private readonly clock: Clock;
  private reading: Promise<Value | undefined> | undefined;
  private last: CachedValue<Value> | undefined;

  constructor(read: () => Promise<Value>, clock: Clock) {
    this.read = read;
    this.clock = clock;
  }

  /** What was read last, however long ago; undefined until then. */
  get cached(): CachedValue<Value> | undefined {
    return this.last;
  }

  /** Whether what is known was read within the last hour. */
  get isFresh(): boolean {
    const ageMs = this.last ? this.clock.now() - this.last.readAt : Infinity;
    return ageMs >= 0 && ageMs < maxAgeMs;
  }

  /** The value, or the last one if it cannot be read; then the next call reads again. */
  get(): Promise<Value | undefined> {
    if (this.isFresh) return Promise.resolve(this.last?.value);
    this.reading ??= this.start();
    return this.reading;
  }

  /** The same, but after a second the last value. */
  async getOrCached(): Promise<Value | undefined> {
    return (await withinOrUndefined(this.clock, patienceMs, this.get())) ?? this.last?.value;
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
