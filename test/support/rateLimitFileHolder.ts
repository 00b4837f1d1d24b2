import { writeSync } from 'node:fs';
import { systemClock } from '../../src/base/time.ts';
import { RateLimitFile } from '../../src/exchange/rateLimit/rateLimitFile.ts';

/** A process that begins to change the rate-limit file in a folder and never finishes. */
const [, , folder = ''] = process.argv;
const onProblem = (error: unknown): never => {
  throw error;
};
const store = new RateLimitFile({ folder, name: 'state.json', clock: systemClock, onProblem });
await store.update((state) => {
  writeSync(1, 'holds\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return state;
});
