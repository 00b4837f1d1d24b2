import '../../src/pages/chart/chartElement.ts';
import type { ChartOptions } from '../../src/pages/chart/chartText.ts';
import { Display } from '../../src/base/display.ts';
import type { ChartData } from '../../src/protocol/chart.ts';

/** Draws a chart of so many points, and returns how long it took from its exact texts to the screen. */
async function drawChart(kind: ChartData['kind'], points: number): Promise<number> {
  const values = Array.from({ length: points }, (_, point) => figure(point));
  const series = [{ label: 'usdt', values, rows: null, isWider: false }];
  const from = values.map((_value, point) => point * 60_000);
  const options: ChartOptions = {
    chart: {
      ...{ kind: 'chart', title: 'usdt', unit: 'usdt', field: 'fee', isProfit: false },
      ...{ points: 'moment', incomplete: null, summary: '', notes: [], open: null },
      data: { kind, from, to: points * 60_000, gaps: [], series },
    },
    display: new Display({
      hidesMoney: false,
      digits: 'compact',
      timeZone: 'UTC',
      otherTimeZone: 'UTC',
      locale: 'en',
    }),
    texts: {} as ChartOptions['texts'],
    open: () => undefined,
  };
  const chart = document.createElement('margin-chart');
  chart.style.display = 'block';
  document.body.replaceChildren(chart);
  const startedAt = performance.now();
  Object.assign(chart, { options });
  await nextPaint();
  const tookMs = performance.now() - startedAt;
  const path = chart.querySelector<SVGPathElement>('.series path');
  if (!path || path.getAttribute('d') === '') throw new Error('no chart is on screen');
  return tookMs;
}

/** A walk whose figures have eight decimals. */
function figure(point: number): string {
  const cents = Math.round(Math.sin(point / 900) * 1e6 + Math.sin(point * 7.3) * 2e5);
  return `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}123456`;
}

function nextPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

Object.assign(globalThis, { drawChart });
