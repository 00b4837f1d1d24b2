import { launchChromium } from '../test/support/chromium.ts';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { median, type Figure } from './figures.ts';
import { sizes } from './sizes.ts';

/** A chart from its exact texts to the screen, beside the same points as one path of SVG, which nobody can read. */
export async function chartFigures(): Promise<Figure[]> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.evaluate(await pageScript('bench/pages/chartPage.ts'));
  const msOf = async (kind: 'line' | 'bars' | 'path'): Promise<number> => {
    const times: number[] = [];
    for (let turn = 0; turn < sizes.turns; turn += 1)
      times.push(Number(await page.evaluate(`drawChart('${kind}', ${sizes.chartPoints})`)));
    return median(times);
  };
  const peers = { 'a bare path': await msOf('path') };
  const figures: Figure[] = [];
  for (const kind of ['line', 'bars'] as const)
    figures.push({
      name: `a chart of ${sizes.chartPoints} points as ${kind}, texts to the screen`,
      unit: 'ms',
      value: await msOf(kind),
      peers,
      bar: { timesPeer: 2 },
    });
  await browser.close();
  return figures;
}
