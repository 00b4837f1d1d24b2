import { existsSync, readFileSync } from 'node:fs';
import type { BotSource } from '../../src/ledger/comparison/botFile.ts';
import { compareFile } from '../../src/ledger/comparison/compare.ts';

/** Run as a process of its own, `<ledger> <source as JSON>`: compares them and prints what that took, as JSON. */

export type ComparisonCost = {
  readonly agrees: number;
  readonly others: number;
  readonly ms: number;
  /** Of processors: other work on the machine does not count. */
  readonly cpuMs: number;
  /** How far the memory of the process rose, at most. */
  readonly growthBytes: number;
};

const [ledger = '', source = ''] = process.argv.slice(2);
const before = process.memoryUsage.rss();
const [startedAt, startCpu] = [performance.now(), process.cpuUsage()];
const comparison = compareFile(ledger, JSON.parse(source) as BotSource, {
  offsetMinutes: null,
  symbols: {},
});
const { user, system } = process.cpuUsage(startCpu);
if ('problem' in comparison) throw new Error(comparison.problem);
const { agrees, ...others } = comparison.counts;
console.log(
  JSON.stringify({
    agrees,
    others: Object.values(others).reduce((sum, count) => sum + count, 0),
    ms: performance.now() - startedAt,
    cpuMs: (user + system) / 1000,
    growthBytes: peakBytes() - before,
  }),
);

/** On Linux, `maxRSS` is never below that of the process that started this one. */
function peakBytes(): number {
  const status = '/proc/self/status';
  if (!existsSync(status)) return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]) * 1024;
}
