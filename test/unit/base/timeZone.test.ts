import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isTimeZone, offsetText, TimeZone } from '../../../src/base/timeZone.ts';

const clock = (text: string) => Date.parse(`${text}Z`);
const instant = (text: string) => Date.parse(text);

describe('a time zone', () => {
  it('is UTC or an IANA name', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati'])
      assert.ok(isTimeZone(name), name);
    for (const name of ['', 'local', 'Berlin', 'Europe/Nowhere'])
      assert.ok(!isTimeZone(name), name);
  });

  it('prints its distance from UTC at each instant', () => {
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

  it('takes the first of two instants when clocks are set back', () => {
    const berlin = new TimeZone('Europe/Berlin');
    assert.equal(berlin.instantAt(clock('2026-10-25T02:30')), instant('2026-10-25T00:30Z'));
    assert.equal(berlin.clockAt(instant('2026-10-25T01:30Z')), clock('2026-10-25T02:30'));
  });

  it('goes on after what a jump leaves out', () => {
    const newYork = new TimeZone('America/New_York');
    assert.equal(newYork.instantAt(clock('2026-03-08T02:30')), instant('2026-03-08T07:30Z'));
    const beirut = new TimeZone('Asia/Beirut');
    assert.equal(beirut.instantAt(clock('2026-03-29T00:00')), instant('2026-03-28T22:00Z'));
    const apia = new TimeZone('Pacific/Apia');
    assert.equal(apia.instantAt(clock('2011-12-30T00:00')), instant('2011-12-30T10:00Z'));
  });

  it('leads from an instant to its clocks and back, or to the twin an hour before', () => {
    const zones = fc
      .constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Australia/Lord_Howe')
      .map((name) => new TimeZone(name));
    const instants = fc.integer({ min: 0, max: 4_102_444_800_000 });
    fc.assert(
      fc.property(zones, instants, (zone, epochMs) => {
        const back = zone.instantAt(zone.clockAt(epochMs));
        assert.equal(zone.clockAt(back), zone.clockAt(epochMs));
        assert.ok(back <= epochMs && epochMs - back <= 3_600_000);
      }),
    );
  });
});
