import assert from 'node:assert/strict';
import { chartDrawing } from '../../../../src/pages/chart/chartDrawing.ts';
import { rounded } from '../../../../src/pages/chart/chartDrawing.ts';
import { drawnChart } from '../../../../src/pages/chart/chartSeries.ts';
import type { ChartData } from '../../../../src/protocol/chart.ts';
import { aDisplay } from '../../../support/display.ts';

const aChart = (kind: ChartData['kind'], ...series: (string | null)[][]): ChartData => ({
  kind,
  from: series[0]?.map((_value, point) => point * 1000) ?? [],
  to: (series[0]?.length ?? 0) * 1000,
  gaps: [],
  series: series.map((values) => ({ label: '', values, rows: null, isWider: false })),
});

describe('the numbers of a chart', () => {
  it('enclose each stack of bars, and zero', () => {
    const { min, max } = drawnChart(aChart('bars', ['5', '-2'], ['7', '-3.5'], ['-1', null]));
    assert.deepEqual([min, max], [-5.5, 12]);
    assert.deepEqual(drawnChart(aChart('bars', ['5', '7'])).min, 0);
  });

  it('are those of a line alone', () => {
    const { min, max } = drawnChart(aChart('line', ['100.5', null, '99']));
    assert.deepEqual([min, max], [99, 100.5]);
  });

  it('stay finite, whatever the figures', () => {
    const { min, max, series } = drawnChart(aChart('line', ['1e999', '-1e999', 'NaN', null]));
    assert.ok(Number.isFinite(max - min));
    assert.deepEqual([...(series[0] ?? [])].map(Number.isNaN), [false, false, true, true]);
  });

  it('are zero without a figure', () => {
    const { min, max } = drawnChart(aChart('line', [null, null]));
    assert.deepEqual([min, max], [0, 0]);
  });
});

describe('a line over bars', () => {
  const bars = aChart('bars', ['5', '-2', '4'], ['7', '-3', '1']);
  const line = { label: '', values: ['12', null, '-40'], rows: null, isWider: false, isLine: true };
  const data = { ...bars, series: [...bars.series, line] };

  it('is not stacked with them, and is within the same axis', () => {
    const { min, max } = drawnChart(data);
    assert.deepEqual([min, max], [-40, 12]);
  });

  it('goes through the middle of each bar, and ends where it has no figure', () => {
    const size = { width: 600, height: 200 };
    const { paths, x } = chartDrawing({ data, field: 'rpnl' }, drawnChart(data), aDisplay(), size);
    assert.deepEqual(
      paths.map((path) => 'line' in path),
      [false, false, true],
    );
    const [first = 0, second = 0] = x;
    const drawn = JSON.stringify(paths[2]);
    assert.equal(drawn.match(/M/g)?.length, 2);
    assert.ok(drawn.includes(`M${rounded((first + second) / 2)} `), drawn);
  });
});

describe('the drawing of a chart', () => {
  const drawing = (data: ChartData, width = 600) =>
    chartDrawing({ data, field: 'fee' }, drawnChart(data), aDisplay(), { width, height: 200 });

  it('has zero where bars stand, and leaves it out far from a line', () => {
    const bars = drawing(aChart('bars', ['10', '-10']));
    assert.equal(bars.zero, (bars.top + bars.bottom) / 2);
    assert.equal(drawing(aChart('line', ['1000', '1001'])).zero, null);
  });

  it('hatches what is not known, a short gap too', () => {
    const gaps = [
      { from: 1000, to: 3000 },
      { from: 3500, to: 3501 },
    ];
    const data = { ...aChart('bars', ['1', null, null, '3']), gaps };
    const { gaps: hatched, x, right } = drawing(data);
    assert.deepEqual(hatched[0], {
      at: rounded(x[1] ?? 0),
      width: rounded((x[3] ?? 0) - (x[1] ?? 0)),
    });
    assert.equal(hatched[1]?.width, 2);
    assert.ok(hatched[1].at < right);
  });

  it('puts each point at its time, and its value within the axes', () => {
    const { x, left, right, yAt, top, bottom } = drawing(aChart('line', ['1', null, '3']));
    assert.equal(x[0], left);
    assert.ok((x[2] ?? 0) < right);
    assert.equal(yAt(0, 1), null);
    for (const point of [0, 2]) {
      const y = yAt(0, point) ?? -1;
      assert.ok(y >= top && y <= bottom);
    }
  });

  it('names bars below their middle, and a point of a line at its place', () => {
    const day = 86_400_000;
    const days = { from: [0, day, 2 * day], to: 3 * day };
    const bars = drawing({ ...aChart('bars', ['1', '2', '3']), ...days });
    const places = [...bars.x, bars.right];
    const middles = [0, 1, 2].map((at) => ((places[at] ?? 0) + (places[at + 1] ?? 0)) / 2);
    assert.deepEqual(
      bars.timeTicks.map(({ at }) => Math.round(at)),
      middles.map(Math.round),
    );
    const line = drawing({ ...aChart('line', ['1', '2', '3']), ...days });
    assert.equal(line.timeTicks[0]?.at, line.x[0]);
  });

  it('leaves room for the labels of the values, and fits into a narrow page', () => {
    const wide = drawing(aChart('bars', ['1000000', '0']));
    const narrow = drawing(aChart('bars', ['1', '0']), 120);
    assert.ok(wide.left > narrow.left);
    assert.ok(narrow.right <= 120);
    assert.ok(narrow.timeTicks.length <= 2);
  });

  it('shows all of 100,000 points in paths of a few thousand steps', () => {
    const values = Array.from({ length: 100_000 }, (_, point) => String(point % 997));
    for (const kind of ['bars', 'line', 'steps'] as const) {
      const [path = { line: '' }] = drawing(aChart(kind, values), 1200).paths;
      const text = 'line' in path ? path.line : path.above;
      assert.ok(text.length > 1000 && text.length < 200_000, `${kind} ${text.length}`);
    }
  });
});
