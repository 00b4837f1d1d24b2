import '../../src/pages/chart/chartElement.ts';
import type { ChartOptions } from '../../src/pages/chart/chartText.ts';
import { Display } from '../../src/base/display.ts';
import type { ChartData } from '../../src/protocol/chart.ts';

/** Draws a chart of so many points, or a path; returns how long it took from the texts to the screen. */
async function drawChart(kind: ChartData['kind'] | 'path', points: number): Promise<number> {
  const values = Array.from({ length: points }, (_, point) => figure(point));
  return kind === 'path' ? timeOf(() => drawPath(values)) : drawValues(kind, values);
}

function drawValues(kind: ChartData['kind'], values: readonly string[]): Promise<number> {
  const points = values.length;
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
  return timeOf(() => {
    Object.assign(chart, { options });
    return () => chart.querySelector<SVGPathElement>('.series path');
  });
}

/** Every point, as it is. */
function drawPath(values: readonly string[]): () => SVGPathElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${values.length} 40000`);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('stroke', 'currentColor');
  path.setAttribute('fill', 'none');
  path.setAttribute(
    'd',
    values.map((value, x) => `${x ? 'L' : 'M'}${x} ${Number(value)}`).join(''),
  );
  svg.append(path);
  document.body.replaceChildren(svg);
  return () => path;
}

/** Until what is drawn has been painted. */
async function timeOf(draw: () => () => SVGPathElement | null): Promise<number> {
  const startedAt = performance.now();
  const path = draw();
  await nextPaint();
  const tookMs = performance.now() - startedAt;
  if (!path()?.getAttribute('d')) throw new Error('nothing is on screen');
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
