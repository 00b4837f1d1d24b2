import assert from 'node:assert/strict';
import { englishDocumentTexts } from '../../../support/englishTexts.ts';
import { pointTexts } from '../../../../src/pages/chart/chartText.ts';
import type { ChartBlock } from '../../../../src/protocol/document.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { aDisplay } from '../../../support/display.ts';

const hour = 3_600_000;
const gap = (from: number, to: number) => ({ from: from * hour, to: to * hour });

const chart: ChartBlock = {
  ...{ kind: 'chart', open: null },
  ...{ title: 'usdt', unit: 'usdt', field: 'fee', isProfit: false, points: 'moment', notes: [] },
  incomplete: 'Incomplete: 2 of 5 hours',
  summary: 'What was read: 3 usdt from 2 rows',
  data: {
    kind: 'bars',
    from: [0, 1, 2, 3, 4, 5].map((start) => start * hour),
    to: 6 * hour,
    gaps: [gap(1, 3), gap(3.5, 5)],
    series: [{ label: '', values: ['1', null, '7', '2', null, '3'], rows: null, isWider: false }],
  },
};

describe('a point of a chart of a part of its period', () => {
  it('says whether it is not known, or only in part', () => {
    const { data } = chart;
    assert.ok(data);
    const options = {
      chart: { ...chart, data },
      display: aDisplay(),
      texts: englishDocumentTexts(),
    };
    assert.deepEqual(
      data.from.map((_from, point) => pointTexts(options, point).slice(1)),
      [
        ['1 usdt'],
        ['not known'],
        ['7 usdt', 'incomplete'],
        ['2 usdt', 'incomplete'],
        ['not known'],
        ['3 usdt'],
      ],
    );
  });

  it('has no figure of a line over bars there', () => {
    const { data } = chart;
    assert.ok(data);
    const values = ['1', null, null, null, null];
    const line = { label: 'Cumulative', values, rows: null, isWider: false, isLine: true };
    const lined = {
      ...data,
      series: [...data.series.map((each) => ({ ...each, label: 'P&L' })), line],
    };
    const options = {
      chart: { ...chart, data: lined },
      display: aDisplay(),
      texts: englishDocumentTexts(),
    };
    assert.deepEqual(
      [0, 1, 2].map((point) => pointTexts(options, point).slice(1)),
      [
        ['P&L 1 usdt', 'Cumulative 1 usdt'],
        ['not known'],
        ['P&L 7 usdt', 'Cumulative —', 'incomplete'],
      ],
    );
  });

  for (const [points, starts, name] of [
    ['day', ['2026-11-20', '2026-11-21'], '2026-11-20'],
    ['week', ['2026-11-16', '2026-11-23'], '2026-11-16 – 2026-11-22'],
    ['week', ['2026-10-19', '2026-10-26'], '2026-10-19 – 2026-10-25'],
    ['month', ['2026-10-01', '2026-11-01'], '2026-10'],
    ['moment', ['2026-11-20', '2026-11-21'], '2026-11-20 00:00:00.000 UTC+1'],
  ] as const)
    it(`is named by the ${points} that it is in the zone of the display: ${name}`, () => {
      const zone = new TimeZone('Europe/Berlin');
      const [from = 0, to = 0] = starts.map((day) => zone.toEpochMs(Date.parse(day)));
      const data = { ...(chart.data ?? assert.fail()), from: [from], to, gaps: [] };
      const display = aDisplay({ timeZone: zone.name });
      const texts = englishDocumentTexts();
      assert.equal(pointTexts({ chart: { ...chart, points, data }, display, texts }, 0)[0], name);
    });
});
