import os from 'node:os';
import { gzipSync } from 'node:zlib';
import { launchChromium } from '../test/support/chromium.ts';
import { median, type Bar, type Figure } from './figures.ts';
import { gridPages, type GridPage } from './gridPages.ts';
import { GridRun } from './gridRun.ts';

const runs = 5;

/** What is measured of each grid, in milliseconds, and our bar: of a frame, two at 60 a second. */
const measures = {
  create: { name: 'script to 500 rows on screen', bar: 120, isRace: true },
  next: { name: 'key to the next 500 rows on screen', bar: 40, isRace: true },
  scroll: { name: 'frame, 95th percentile, of scrolling 100,000 rows', bar: 33.4, isRace: false },
  select: { name: 'key to the exact sums of 10,000 cells', bar: 50, isRace: false },
} as const;
type Measure = keyof typeof measures;
type Times = Readonly<Record<Measure, number[]>>;

/** Our table page beside pages with other grids, in one browser, on the same rows, in turn. */
export async function gridFigures(): Promise<Figure[]> {
  const grids = await gridPages();
  const times = new Map(grids.map((grid) => [grid, noTimes()]));
  const browser = await launchChromium();
  const run = await GridRun.in(browser);
  // What closes 100,000 rows slows down the page after it.
  for (const measure of [measurePages, measureScroll])
    for (let turn = 0; turn < runs; turn += 1)
      for (const [grid, taken] of times) await measure(run, grid, taken);
  await browser.close();
  printTable(times);
  const [ours, ...peers] = [...times.values()];
  return ours
    ? (Object.keys(measures) as Measure[]).flatMap((name) => figuresOf(name, ours, peers))
    : [];
}

const noTimes = (): Times => ({ create: [], next: [], scroll: [], select: [] });

async function measurePages(run: GridRun, grid: GridPage, taken: Times): Promise<void> {
  const page = await run.open(grid, 500);
  taken.create.push(page.createMs);
  taken.next.push(await run.nextPage(page));
  await page.close();
  if (!grid.hasSums) return;
  const selected = await run.open(grid, 1000);
  taken.select.push(await run.select(selected));
  await selected.close();
}

async function measureScroll(run: GridRun, grid: GridPage, taken: Times): Promise<void> {
  const page = await run.open(grid, 100_000);
  taken.scroll.push(await run.scroll(page, grid));
  await page.close();
}

function figuresOf(measured: Measure, ours: Times, peers: readonly Times[]): Figure[] {
  const { name, bar, isRace } = measures[measured];
  const value = median(ours[measured]);
  const absolute: Bar = { is: 'at most', value: bar, fails: { beyond: bar * 10 } };
  const figure: Figure = { name, value, unit: 'ms', bar: absolute };
  if (!isRace) return [figure];
  const fastest = Math.min(...peers.map((times) => median(times[measured])));
  const ratio: Bar = { is: 'at most', value: 1, fails: true };
  return [
    figure,
    { name: 'and times the faster peer', value: value / fastest, unit: '×', bar: ratio },
  ];
}

/** A row for each figure, a column for each grid. */
function printTable(times: ReadonlyMap<GridPage, Times>): void {
  const grids = [...times.keys()];
  const row = (name: string, cells: readonly string[], bar: string): void =>
    console.log(
      [name.padEnd(52), ...cells.map((cell) => cell.padStart(12)), bar.padStart(6)].join(''),
    );
  const load = os.loadavg().map((one) => one.toFixed(1));
  row(
    `load of the machine ${load.join(' ')}`,
    grids.map(({ name }) => name),
    'bar',
  );
  const size = ({ script }: GridPage): string =>
    (gzipSync(script, { level: 9 }).length / 1000).toFixed(1);
  row('KB of script, minified and compressed', grids.map(size), '90');
  for (const measured of Object.keys(measures) as Measure[]) {
    const { name, bar } = measures[measured];
    const cell = (taken: Times): string =>
      taken[measured].length > 0 ? median(taken[measured]).toFixed(1) : '—';
    row(
      `ms from ${name}`.replace('from frame', 'of a frame'),
      [...times.values()].map(cell),
      String(bar),
    );
  }
  for (const { name, looser } of grids)
    if (looser !== '')
      console.log(`${name} runs only with a looser policy: it also needs ${looser}.`);
}
