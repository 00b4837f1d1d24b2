import fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  boundedPart,
  readBoundedPage,
  type PartPosition,
  type PeriodPart,
} from '../../../../src/account/history/boundedPeriod.ts';
import { dayMs } from '../../../../src/base/time.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import type { ExchangeClient } from '../../../../src/exchange/client.ts';
import {
  defaultConventions,
  type ApiConventions,
} from '../../../../src/exchange/conventions/apiConventions.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import type { HistoryRequest } from '../../../../src/exchange/history/historyRecords.ts';

const now = 1000 * dayMs;
const minuteMs = 60_000;
const week = 7 * dayMs;

/** The part that *Older* or *Newer* opens. */
function beside(end: number | null): PartPosition {
  return { to: end ?? assert.fail('no such part'), isLatest: false };
}

describe('the parts of a period', () => {
  const period = { from: now - 20 * dayMs, to: now };
  const partAt = (position?: PartPosition): PeriodPart =>
    boundedPart(period, position, week, now) ?? assert.fail('one request');

  it('are not needed without a bound, or if the period is short enough', () => {
    assert.equal(boundedPart(period, undefined, null, now), null);
    assert.equal(boundedPart(period, undefined, 20 * dayMs, now), null);
    assert.equal(boundedPart({ from: now - week + minuteMs }, undefined, week, now), null);
    assert.equal(boundedPart({ from: now + dayMs }, undefined, week, now), null);
  });

  it('start at the newest rows; Older and Newer lead through all of them', () => {
    const latest = partAt();
    assert.deepEqual(latest, { from: now - week, to: now, older: now - week, newer: null });
    const middle = partAt(beside(latest.older));
    assert.deepEqual([middle.from, middle.to], [now - 2 * week, now - week]);
    const oldest = partAt(beside(middle.older));
    assert.deepEqual([oldest.from, oldest.to, oldest.older], [period.from, now - 2 * week, null]);
    assert.deepEqual(partAt(beside(oldest.newer)), middle);
    assert.deepEqual(partAt(beside(middle.newer)), latest);
  });

  it('go back without an end if the period has no start', () => {
    const { older } = boundedPart({}, undefined, week, now) ?? assert.fail();
    const part = boundedPart({}, beside(older), week, now);
    assert.equal(part?.older, now + minuteMs - 2 * week);
  });

  it('end a minute from now, whatever end the user chose after that', () => {
    for (const to of [undefined, now + 900 * dayMs])
      assert.equal(boundedPart({ to }, undefined, week, now)?.to, now + minuteMs);
    assert.equal(boundedPart({}, undefined, week, now + 0.5)?.to, now + minuteMs + 1);
  });

  it('do not move while the pages of the latest one are read', () => {
    const { to } = boundedPart({}, undefined, week, now) ?? assert.fail();
    const later = boundedPart({}, { to, isLatest: true }, week, now + dayMs);
    assert.deepEqual([later?.to, later?.newer], [to, null]);
    const soon = boundedPart({}, beside(to), week, now + minuteMs);
    assert.equal(soon?.newer, null);
    const restored = boundedPart({}, { to, isLatest: false }, week, now + dayMs);
    assert.deepEqual([restored?.to, restored?.newer], [to, now + dayMs + minuteMs]);
  });

  it('cover the whole period, none is too long, and none is skipped', () => {
    const lengths = fc.integer({ min: 1, max: 400 * dayMs });
    fc.assert(
      fc.property(lengths, fc.integer({ min: dayMs, max: 90 * dayMs }), (lengthMs, longestMs) => {
        const whole = { from: now - lengthMs, to: now };
        let part = boundedPart(whole, undefined, longestMs, now);
        assert.equal(part === null, lengthMs <= longestMs);
        if (!part) return;
        assert.equal(part.to, whole.to);
        while (part.older !== null) {
          assert.equal(part.to - part.from, longestMs);
          const older: PeriodPart =
            boundedPart(whole, beside(part.older), longestMs, now) ?? assert.fail();
          assert.equal(older.to, part.from);
          part = older;
        }
        assert.equal(part.from, whole.from);
      }),
    );
  });
});

describe('a page of a bounded period', () => {
  let conventions: ApiConventions;
  let requests: HistoryRequest[];
  let answer: () => Promise<unknown>;
  const page = {
    value: { content: [{}], size: '20', totalPages: '1', totalElements: '1', extra: {} },
    ...{ badRecords: [], rowsOutsidePeriod: 0, ignoredFilters: [], unproven: [] },
  };

  beforeEach(() => {
    conventions = { ...defaultConventions, dates: 'epochMs', maxRangeDays: 7 };
    requests = [];
    answer = () => Promise.resolve(page);
  });

  function read(position?: PartPosition) {
    const client = {
      conventions: { current: conventions, zone: new TimeZone('UTC') },
      serverNow: () => now,
      history: (request: HistoryRequest) => {
        requests.push(request);
        return answer();
      },
    };
    Object.defineProperty(client.conventions, 'current', { get: () => conventions });
    const request = { operation: 'trades', filters: {}, page: 2, size: 20 } as const;
    const period = { from: now - 20 * dayMs, to: now };
    return readBoundedPage(
      client as unknown as ExchangeClient,
      { ...request, period },
      position,
      {},
    );
  }

  it('is requested for one part, with the counts of that part', async () => {
    const { part, value } = await read();
    assert.deepEqual([part?.from, part?.to, value.totalElements], [now - week, now, '1']);
    const [{ period, page: number } = assert.fail()] = requests;
    assert.deepEqual([period?.from, period?.to, number], [now - week, now, 2]);
    assert.equal((await read(beside(now - week))).part?.to, now - week);
  });

  it('has no total if the dates ask for more than the part', async () => {
    conventions = { ...conventions, dates: 'isoDate' };
    const { part, value } = await read();
    assert.ok(part);
    assert.deepEqual([value.totalElements, value.totalPages], [null, '1']);
  });

  it('is read once more if the refusal teaches the bound', async () => {
    conventions = { ...conventions, maxRangeDays: null };
    answer = () => {
      if (requests.length > 1) return Promise.resolve(page);
      conventions = { ...conventions, maxRangeDays: 7 };
      return Promise.reject(
        new ExchangeError({ kind: 'refused', sent: 'yes', operation: 'trades' }),
      );
    };
    assert.equal((await read()).part?.from, now - week);
    assert.equal(requests.length, 2);
  });

  it('is not read again after any other failure', async () => {
    answer = () => Promise.reject(new Error('network'));
    await assert.rejects(read(), /network/);
    assert.equal(requests.length, 1);
  });
});
