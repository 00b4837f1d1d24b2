import assert from 'node:assert/strict';
import { firstOfDay } from '../../../../src/account/alerts/alertCondition.ts';
import type { Snapshot } from '../../../../src/account/session/accountStore.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { anAccount } from '../../../support/builders.ts';

const seen = (iso: string, equity: string) => ({ seenAt: Date.parse(iso), equity });

/** A read of the account at this time. */
function read(now: string, equity: string): Snapshot {
  const at = Date.parse(now);
  const times = { asOf: at, readAt: at, sentAt: at, answeredAt: at };
  return { account: anAccount({ equity }), directed: [], badRecords: [], ...times };
}

/** The figure that counts at `now` if `kept` was the first of its day. */
const firstAt = (now: string, kept: string, zone: string): string | undefined =>
  firstOfDay([seen(kept, 'kept')], read(now, 'now'), new TimeZone(zone))?.equity;

describe('the first equity of a day', () => {
  for (const [zone, kept, lastMoment, nextDay] of [
    ['UTC', '2026-11-20T00:00:00Z', '2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00Z'],
    ['Etc/GMT+8', '2026-11-20T08:00:00Z', '2026-11-21T07:59:59.999Z', '2026-11-21T08:00:00Z'],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00Z', '2026-11-21T09:59:59Z', '2026-11-21T10:00:00Z'],
    // 25 hours, then 23.
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
  ] as const)
    it(`counts until the day of ${zone} that began ${kept} ends`, () => {
      assert.equal(firstAt(kept, kept, zone), 'kept');
      assert.equal(firstAt(lastMoment, kept, zone), 'kept');
      assert.equal(firstAt(nextDay, kept, zone), 'now');
    });

  it('follows a change of zone: values from before the new day began do not count', () => {
    const [kept, now] = ['2026-11-20T09:00:00Z', '2026-11-20T11:00:00Z'];
    assert.equal(firstAt(now, kept, 'UTC'), 'kept');
    assert.equal(firstAt(now, kept, 'Pacific/Kiritimati'), 'now');
  });

  it('is the snapshot’s own when none is known, or the known one is in the future', () => {
    const now = '2026-11-20T11:00:00Z';
    assert.equal(firstAt(now, '2026-11-20T11:00:01Z', 'UTC'), 'now');
    assert.deepEqual(firstOfDay([], read(now, '7'), new TimeZone('UTC')), seen(now, '7'));
  });

  it('is the earliest of several windows’', () => {
    const known = ['10:00', '09:00', '10:30'].map((time) => seen(`2026-11-20T${time}:00Z`, time));
    const now = read('2026-11-20T11:00:00Z', '7');
    assert.equal(firstOfDay(known, now, new TimeZone('UTC'))?.equity, '09:00');
  });
});
