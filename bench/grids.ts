import { gzipSync } from 'node:zlib';
import { launchChromium } from '../test/support/chromium.ts';
import { median, type Figure } from './figures.ts';
import { gridPages, type GridPage } from './gridPages.ts';
import { GridRun } from './gridRun.ts';
import { sizes } from './sizes.ts';

/** What is measured of each grid, in milliseconds, and our bar beside the fastest peer. */
const measures = {
  create: { name: 'script to 500 rows on screen', timesPeer: 1.5 },
  next: { name: 'key to the next 500 rows on screen', timesPeer: 1 },
  scroll: { name: `a frame of scrolling ${sizes.scrolledRows} rows, p95`, timesPeer: 1.5 },
} as const;
type Measure = keyof typeof measures;
type Times = Readonly<Record<Measure | 'select', number[]>>;

/** Our table page beside pages with other grids, in one browser, on the same rows, in turn. */
export async function gridFigures(): Promise<Figure[]> {
  const grids = await gridPages();
  const times = new Map(grids.map((grid) => [grid.name, noTimes()]));
  const browser = await launchChromium();
  const run = await GridRun.in(browser);
  // What closes many rows slows down the page after it.
  for (const measure of [measurePages, measureScroll])
    for (let turn = 0; turn < sizes.turns; turn += 1)
      for (const grid of grids) await measure(run, grid, times.get(grid.name) ?? noTimes());
  await browser.close();
  const beside = (name: string, unit: 'ms' | 'KB', of: (grid: GridPage) => number) => {
    const all = grids.map((grid) => [grid.name, of(grid)] as const);
    const [[, value] = ['', NaN], ...peers] = all;
    return { name, unit, value, peers: Object.fromEntries(peers) };
  };
  const sizeOf = ({ script }: GridPage): number => gzipSync(script, { level: 9 }).length / 1000;
  const timeOf = (measure: Measure) => (grid: GridPage) =>
    median(times.get(grid.name)?.[measure] ?? []);
  const raced = (Object.keys(measures) as Measure[]).map((measure): Figure => {
    const { name, timesPeer } = measures[measure];
    return { ...beside(name, 'ms', timeOf(measure)), bar: { timesPeer } };
  });
  const own = times.get(grids[0]?.name ?? '') ?? noTimes();
  return [beside('script, minified and compressed', 'KB', sizeOf), ...raced, selection(own)];
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
  const page = await run.open(grid, sizes.scrolledRows);
  taken.scroll.push(await run.scroll(page, grid));
  await page.close();
}

/** No peer shows sums. */
function selection({ select, next }: Times): Figure {
  return {
    name: 'key to the exact sums of 10,000 cells',
    unit: 'ms',
    value: median(select),
    peers: { 'the next 500 rows': median(next) },
    bar: { timesPeer: 3 },
  };
}
