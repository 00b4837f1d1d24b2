import os from 'node:os';
import { secondMs, systemClock, type Clock } from '../../base/time.ts';

/** The system's clock; its steady clock goes on while the machine sleeps, which Linux leaves out of `awakeMs`. */
export function createMachineClock(
  awakeMs = (): number => performance.now(),
  uptimeMs = (): number => os.uptime() * secondMs,
): Clock {
  const startMs = uptimeMs() - awakeMs();
  let sleptMs = 0;
  const steadyNow = (): number => {
    const newMs = uptimeMs() - awakeMs() - startMs - sleptMs;
    // `os.uptime` is not precise.
    if (newMs > 3 * secondMs) sleptMs += newMs;
    return awakeMs() + sleptMs;
  };
  return { ...systemClock, steadyNow };
}
