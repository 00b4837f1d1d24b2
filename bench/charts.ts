import { launchChromium } from '../test/support/chromium.ts';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { median, type Figure } from './figures.ts';

const runs = 7;
const points = 100_000;

/** A chart of 100,000 points: from its exact texts to the screen. */
export async function chartFigures(): Promise<Figure[]> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.evaluate(await pageScript('bench/pages/chartPage.ts'));
  const figures: Figure[] = [];
  for (const kind of ['line', 'bars'] as const) {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1)
      times.push(Number(await page.evaluate(`drawChart('${kind}', ${points})`)));
    figures.push({
      name: `a chart of 100,000 points as ${kind === 'line' ? 'a line' : 'bars'}, exact texts to the screen`,
      value: median(times),
      unit: 'ms',
      bar: { is: 'at most', value: 60, fails: { beyond: 600 } },
    });
  }
  await browser.close();
  return figures;
}
