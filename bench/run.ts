import os from 'node:os';
import { statsOf, writeStats } from '../test/support/testTotals.ts';
import { activationFigures, refreshFigures } from './activation.ts';
import { agentFigures } from './agents.ts';
import { cancelAllFigures } from './cancelAll.ts';
import { chartFigures } from './charts.ts';
import { decodeFigures } from './decode.ts';
import { exportFigures } from './export.ts';
import { cells, heading, keepsBar, row, type Figure } from './figures.ts';
import { gridFigures } from './grids.ts';
import { ledgerFigures } from './ledger.ts';
import { rateLimitFigures } from './rateLimit.ts';
import { walkFigures } from './walk.ts';
import { windowFigures } from './window.ts';

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  decode: decodeFigures,
  cancelAll: cancelAllFigures,
  walk: walkFigures,
  rateLimit: rateLimitFigures,
  export: exportFigures,
  ledger: ledgerFigures,
  agents: agentFigures,
  refresh: refreshFigures,
  activation: activationFigures,
  grids: gridFigures,
  charts: chartFigures,
  window: windowFigures,
};

/** `npm run bench`: every part, or those that are named; with `--small` in seconds. Each part and each bar counts as a test. */
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const failed: string[] = [];
let passed = 0;

for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const startedAt = performance.now();
  const figures = await measure();
  passed += 1;
  const load = os.loadavg()[0]?.toFixed(1);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const title = `${name}, ${seconds} s, load of the machine ${load}`;
  console.log(`\n${row([title, ...heading.slice(1)])}`);
  for (const figure of figures) {
    const isKept = keepsBar(figure);
    const line = row(cells(figure));
    console.log(isKept === false ? `${line}  BROKEN` : line);
    if (isKept === true) passed += 1;
    if (isKept === false) failed.push(line.replace(/ +/g, ' '));
  }
}
writeStats(statsOf(passed, failed));
process.exitCode = failed.length > 0 ? 1 : 0;
