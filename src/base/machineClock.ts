import os from 'node:os';
import { secondMs, systemClock, type Clock } from './time.ts';

type Uptime = { readonly awakeMs: () => number; readonly wholeMs: () => number };

const machineUptime: Uptime = {
  awakeMs: () => performance.now(),
  wholeMs: () => os.uptime() * secondMs,
};

/** `os.uptime` is not precise. */
const shortestSleepMs = 3 * secondMs;

/** The system's clock; its steady clock goes on while the machine sleeps, which Linux and `performance.now` leave out. */
export function createMachineClock({ awakeMs, wholeMs }: Uptime = machineUptime): Clock {
  const startMs = wholeMs() - awakeMs();
  let sleptMs = 0;
  const steadyNow = (): number => {
    const nowMs = awakeMs();
    const newMs = wholeMs() - nowMs - startMs - sleptMs;
    if (newMs >= shortestSleepMs) sleptMs += newMs;
    return nowMs + sleptMs;
  };
  return { ...systemClock, steadyNow };
}
