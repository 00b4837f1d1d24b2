import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { runNpmScript } from './npm.ts';
import { projectRoot } from './project.ts';
import { script } from './script.ts';
import { stepOutcome, suiteOutcome, total, totalsLine, type Outcome } from './testTotals.ts';

type Step = { readonly title: string; readonly npmScript: string; readonly isSuite: boolean };

const steps: readonly Step[] = [
  { title: 'Types', npmScript: 'check', isSuite: false },
  { title: 'Lint and format', npmScript: 'lint', isSuite: false },
  { title: 'Unit tests', npmScript: 'test:unit', isSuite: true },
  { title: 'Exchange tests', npmScript: 'test:exchange', isSuite: true },
  { title: 'Host tests', npmScript: 'test:host', isSuite: true },
  { title: 'Host tests at the floor', npmScript: 'test:floor', isSuite: true },
  { title: 'Workbench tests', npmScript: 'test:workbench', isSuite: true },
];

/** `npm test`: every step, also after one failed, and the totals as the last line. */
await script(async () => {
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await runStep(step));
  const all = total(outcomes);
  console.log(`\n${totalsLine(all)}`);
  return all.failed > 0 ? 1 : 0;
});

async function runStep({ title, npmScript, isSuite }: Step): Promise<Outcome> {
  console.log(`\n== ${title} (npm run ${npmScript})`);
  const statsFile = path.join(projectRoot, '.test-results', `${npmScript.replace(':', '-')}.json`);
  await rm(statsFile, { force: true });
  const exitCode = await runNpmScript(npmScript, { MARGIN_DESK_TEST_STATS: statsFile });
  if (!isSuite) return stepOutcome(exitCode);
  return suiteOutcome(exitCode, await readFile(statsFile, 'utf8').catch(() => undefined));
}
