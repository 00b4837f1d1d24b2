import fc from 'fast-check';
import assert from 'node:assert/strict';
import { always, type Interval } from '../../../../src/base/interval.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import type { ApiConventions } from '../../../../src/exchange/history/apiConventions.ts';
import {
  resolutionMs,
  unitContaining,
  encodePeriod,
} from '../../../../src/exchange/history/dates.ts';
import { parseZone } from '../../../../src/exchange/history/exchangeInfo.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const forms = ['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'] as const;
const ends = ['inclusive', 'exclusive'] as const;
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Pacific/Kiritimati',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  '-08:00',
  '+05:30',
];

function written(
  period: Partial<Interval>,
  dates: ApiConventions['dates'],
  dateTo: ApiConventions['dateTo'] = 'inclusive',
  zone = 'UTC',
) {
  return encodePeriod({ ...always, ...period }, { dates, dateTo }, new TimeZone(zone)).parameters;
}

describe('an encoded period', () => {
  it('leaves out an open end', () => {
    assert.deepEqual(written({}, 'epochMs'), {});
    assert.deepEqual(written({ from: 5 }, 'epochMs'), { dateFrom: '5' });
    assert.deepEqual(written({ to: 5 }, 'epochMs'), { dateTo: '5' });
  });

  it('of whole days is asked for as those days, and no other', () => {
    const period = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 3) };
    for (const [dateTo, last] of [
      ['inclusive', '2026-02-02'],
      ['exclusive', '2026-02-03'],
    ] as const)
      assert.deepEqual(written(period, 'isoDate', dateTo), {
        dateFrom: '2026-02-01',
        dateTo: last,
      });
  });

  it('is rounded outward when clocks show an hour twice', () => {
    const first = Date.UTC(2026, 9, 25, 0, 30);
    for (const at of [first, first + hourMs])
      assert.deepEqual(written({ from: at, to: at }, 'isoLocal', 'exclusive', 'Europe/Berlin'), {
        dateFrom: '2026-10-25T01:30:00.000',
        dateTo: '2026-10-25T03:30:00.000',
      });
  });

  const around = (zone: string) =>
    fc
      .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) })
      .map((from) => ({ from, zone }));
  const anyPeriod = fc
    .constantFrom(...zones)
    .chain((zone) => fc.tuple(around(zone), fc.integer({ min: 1, max: 40 * dayMs })))
    .map(([{ from, zone }, lengthMs]) => ({ from, to: from + lengthMs, zone }));

  it('requests every row in it, for each way to read the dates', () => {
    fc.assert(
      fc.property(
        anyPeriod,
        fc.constantFrom(...forms),
        fc.constantFrom(...ends),
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ from, to, zone }, dates, dateTo, later, part) => {
          const row = Math.min(to - 1, from + Math.floor(part * (to - from)));
          const range = encodePeriod({ from, to }, { dates, dateTo }, new TimeZone(zone));
          assert.ok(answers(range.parameters, row, { dates, dateTo, zone, later }), dates);
          assert.ok(
            row >= range.widestPeriod.from && row < range.widestPeriod.to,
            `widest ${dates}`,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('requests every row with an assumed `exclusive` end, except as days', () => {
    fc.assert(
      fc.property(
        anyPeriod,
        fc.constantFrom('epochMs', 'epochS', 'isoInstant', 'isoLocal'),
        fc.constantFrom(...ends),
        ({ from, to, zone }, dates, dateTo) => {
          const range = encodePeriod(
            { from, to },
            { dates, dateTo: 'exclusive' },
            new TimeZone(zone),
          );
          assert.ok(answers(range.parameters, to - 1, { dates, dateTo, zone, later: false }));
        },
      ),
    );
  });

  it('has ends in units of the format', () => {
    assert.deepEqual(forms.map(resolutionMs), [1, 1000, 1, 1, dayMs]);
    const berlin = new TimeZone('Europe/Berlin');
    const [long, short] = [Date.UTC(2026, 9, 25, 12), Date.UTC(2026, 2, 29, 12)].map((at) =>
      unitContaining(at, 'isoDate', berlin),
    );
    assert.equal((long?.to ?? 0) - (long?.from ?? 0), 25 * hourMs);
    assert.equal((short?.to ?? 0) - (short?.from ?? 0), 23 * hourMs);
  });
});

type Server = {
  readonly dates: ApiConventions['dates'];
  readonly dateTo: ApiConventions['dateTo'];
  readonly zone: string;
  /** Of two moments that a local time names, whether the later is meant. */
  readonly later: boolean;
};

/** Whether an exchange that reads dates this way has a row of this moment in its answer. */
function answers(
  { dateFrom = '', dateTo = '' }: { dateFrom?: string; dateTo?: string },
  row: number,
  server: Server,
): boolean {
  const last = read(dateTo, server);
  const stepMs = server.dates === 'isoDate' ? nextDay(dateTo, server) - last : 1;
  const end = server.dateTo === 'inclusive' ? last + stepMs : last;
  return row >= read(dateFrom, server) && row < end;
}

function read(text: string, { dates, zone, later }: Server): number {
  if (dates === 'epochMs') return Number(text);
  if (dates === 'epochS') return Number(text) * 1000;
  if (dates === 'isoInstant') return Date.parse(text);
  const local = Date.parse(dates === 'isoDate' ? `${text}T00:00:00Z` : `${text}Z`);
  const own = new TimeZone(zone);
  if (dates === 'isoDate') return own.toEpochMs(local);
  const moments = own.allEpochMs(local);
  return moments.at(later ? -1 : 0) ?? assert.fail(`nobody’s clock shows ${text} in ${zone}`);
}

function nextDay(day: string, server: Server): number {
  return read(new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10), server);
}

describe('a time zone', () => {
  it('is an IANA name or an offset; others are unknown', () => {
    const at = Date.UTC(2026, 6, 1);
    const aheadHours = (name: string) => ((parseZone(name)?.toLocalMs(at) ?? NaN) - at) / hourMs;
    const names = ['UTC', 'Z', 'Europe/Berlin', '+02:00', 'GMT+8', 'UTC-3:30', '+14:00', ' utc '];
    assert.deepEqual(names.map(aheadHours), [0, 0, 2, 2, 8, -3.5, 14, 0]);
    for (const name of ['', 'Mars/Olympus', '+99:00', 'UTC+'])
      assert.equal(parseZone(name), undefined, name);
  });
});
