import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runNpmScript } from '../npm.ts';
import { PlainFailure, script } from '../script.ts';
import { faketime, movedClock } from './movedClock.ts';

/** Local dates are those of this zone, so that two of the dates are its changes to and from summer time. */
const timeZone = 'Europe/Berlin';

const dates: readonly (readonly [title: string, date: string | Date])[] = [
  ['a Monday that begins', '2027-02-01T00:00:00Z'],
  ['a Sunday that ends', '2027-02-07T23:59:00Z'],
  ['the end of a month', '2027-04-30T21:58:00Z'],
  ['a leap day', '2028-02-29T12:00:00Z'],
  ['the change to summer time', '2027-03-28T00:58:00Z'],
  ['the change from summer time', '2027-10-31T00:58:00Z'],
  ['the end of a year', '2026-12-31T22:58:00Z'],
  ['one year ahead', new Date(Date.now() + 365 * 86_400_000)],
];

/**
 * `npm run test:dates`: `npm test`, or the npm scripts that are named, on other dates. Needs Debian's
 * `faketime` (`apt-get install faketime`). With `--date` on one date alone.
 */
await script(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { date: { type: 'string' } },
  });
  if (!existsSync(faketime)) throw new PlainFailure('Install faketime: apt-get install faketime');
  const chosen = values.date === undefined ? dates : [['the date', values.date] as const];
  const failed: string[] = [];
  for (const [title, date] of chosen)
    for (const name of positionals.length > 0 ? positionals : ['test'])
      if (!(await passes(name, title, new Date(date)))) failed.push(`${name}, ${title}`);
  console.log(`\n${failed.length === 0 ? 'All dates passed.' : `Failed: ${failed.join('; ')}`}`);
  return failed.length > 0 ? 1 : 0;
});

async function passes(npmScript: string, title: string, date: Date): Promise<boolean> {
  const aheadS = Math.round((date.getTime() - Date.now()) / 1000);
  const env = { ...movedClock(aheadS), TZ: timeZone };
  const { code, output } = await runNpmScript([npmScript], env);
  const lines = output.trimEnd().split('\n');
  console.log(`== npm run ${npmScript}, ${title}, ${date.toISOString()}: ${lines.at(-1) ?? ''}`);
  if (code !== 0) console.log(output);
  return code === 0;
}
