import fc from 'fast-check';
import assert from 'node:assert/strict';
import { openEnd } from '../../../src/base/interval.ts';
import {
  dayCountOf,
  lastDays,
  periodDays,
  isTimeZone,
  offsetText,
  TimeZone,
} from '../../../src/base/timeZone.ts';
import { dayMs } from '../../../src/base/time.ts';
import { compareOffsets } from '../../support/zoneOffsets.ts';

const clock = (text: string) => Date.parse(`${text}Z`);
const instant = (text: string) => Date.parse(text);

describe('a time zone', () => {
  it('is UTC or an IANA name', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati'])
      assert.ok(isTimeZone(name), name);
    for (const name of ['', 'local', 'Berlin', 'Europe/Nowhere'])
      assert.ok(!isTimeZone(name), name);
  });

  it('prints its offset from UTC at each instant', () => {
    for (const [name, at, expected] of [
      ['UTC', '2026-07-01T00:00Z', 'UTC'],
      ['Europe/London', '2026-01-01T00:00Z', 'UTC'],
      ['Europe/London', '2026-07-01T00:00Z', 'UTC+1'],
      ['America/Los_Angeles', '2026-01-01T00:00Z', 'UTC-8'],
      ['Pacific/Kiritimati', '2026-01-01T00:00Z', 'UTC+14'],
      ['Asia/Kolkata', '2026-01-01T00:00Z', 'UTC+5:30'],
      ['America/St_Johns', '2026-01-01T00:00Z', 'UTC-3:30'],
      ['Africa/Monrovia', '1970-06-01T00:00Z', 'UTC-0:44:30'],
    ] as const)
      assert.equal(offsetText(new TimeZone(name).offsetMs(instant(at))), expected);
  });

  it('moves a local time inside a clock jump to after the jump', () => {
    const newYork = new TimeZone('America/New_York');
    assert.equal(newYork.toEpochMs(clock('2026-03-08T02:30')), instant('2026-03-08T07:30Z'));
    const beirut = new TimeZone('Asia/Beirut');
    assert.equal(beirut.toEpochMs(clock('2026-03-29T00:00')), instant('2026-03-28T22:00Z'));
    const apia = new TimeZone('Pacific/Apia');
    assert.equal(apia.toEpochMs(clock('2011-12-30T00:00')), instant('2011-12-30T10:00Z'));
  });

  it('has the offset of the system’s clock on days when that changes, in every zone', () => {
    assert.ok(compareOffsets(7 * dayMs) > 5000);
  });

  it('leads from an instant to its clocks and back, or to the twin an hour before', () => {
    const zones = fc
      .constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Australia/Lord_Howe')
      .map((name) => new TimeZone(name));
    const instants = fc.integer({ min: 0, max: 4_102_444_800_000 });
    fc.assert(
      fc.property(zones, instants, (zone, epochMs) => {
        const back = zone.toEpochMs(zone.toLocalMs(epochMs));
        assert.equal(zone.toLocalMs(back), zone.toLocalMs(epochMs));
        assert.ok(back <= epochMs && epochMs - back <= 3_600_000);
      }),
    );
  });
});

const hourMs = 3_600_000;

/** The period as ISO instants to the minute. */
function days(count: number, now: string, zone: string): string {
  const { from, to } = lastDays(count, Date.parse(now), new TimeZone(zone));
  return [from, to].map((epochMs) => new Date(epochMs).toISOString().slice(0, 16)).join(' ');
}

describe('the last days', () => {
  it('are as long as the clocks make them when they change', () => {
    for (const [zone, now, hours] of [
      ['America/New_York', '2026-03-08T12:00Z', 23],
      ['America/New_York', '2026-11-01T12:00Z', 25],
      ['Europe/Berlin', '2026-03-29T12:00Z', 23],
      ['Europe/Berlin', '2026-10-25T12:00Z', 25],
      ['Asia/Beirut', '2026-03-29T12:00Z', 23],
      ['Atlantic/Azores', '2026-10-25T12:00Z', 25],
      ['Australia/Lord_Howe', '2026-10-04T00:00Z', 23.5],
      ['Pacific/Apia', '2011-12-31T00:00Z', 24],
    ] as const) {
      const { from, to } = lastDays(1, Date.parse(now), new TimeZone(zone));
      assert.equal((to - from) / hourMs, hours, `${zone} ${now}`);
    }
    assert.equal(days(1, '2026-03-29T12:00Z', 'Asia/Beirut'), '2026-03-28T22:00 2026-03-29T21:00');
    assert.equal(
      days(90, '2026-04-01T12:00Z', 'Europe/Berlin'),
      '2026-01-01T23:00 2026-04-01T22:00',
    );
  });

  it('contain the instant, and adjoin the days before and after without a gap', () => {
    const zones = fc
      .constantFrom('UTC', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Europe/Berlin')
      .map((name) => new TimeZone(name));
    const instants = fc.integer({ min: 0, max: 4_102_444_800_000 });
    fc.assert(
      fc.property(zones, instants, (zone, now) => {
        const { from, to } = lastDays(1, now, zone);
        assert.ok(from <= now && now < to);
        assert.equal(lastDays(1, from - 1, zone).to, from);
        assert.equal(lastDays(2, to, zone).from, from);
        assert.equal(lastDays(1, to, zone).from, to);
      }),
    );
  });
});

describe('the days of a period', () => {
  const zone = new TimeZone('America/New_York');
  const now = Date.parse('2026-11-01T12:00Z');

  it('are known if it ends today, also with a day of 25 hours', () => {
    for (const count of periodDays)
      assert.equal(dayCountOf(lastDays(count, now, zone), now, zone), count);
  });

  it('are not known tomorrow, of another length or without an end', () => {
    const { from, to } = lastDays(7, now, zone);
    assert.equal(dayCountOf({ from, to }, to, zone), undefined);
    assert.equal(dayCountOf({ from: from + 1, to }, now, zone), undefined);
    assert.equal(dayCountOf({ from, to: openEnd }, now, zone), undefined);
  });
});
