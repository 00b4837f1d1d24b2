import assert from 'node:assert/strict';
import {
  parseLimit,
  parseLimits,
  readUsedWeights,
} from '../../../../src/exchange/rateLimit/limits.ts';
import type { RateLimit } from '../../../../src/exchange/records.ts';

describe('the used weight of a header', () => {
  const read = (headers: Record<string, string>) => readUsedWeights(new Headers(headers));

  it('is read with the window in the name', () => {
    for (const [name, windowMs] of [
      ['X-MBX-USED-WEIGHT-1M', 60_000],
      ['X-MBX-USED-WEIGHT', undefined],
      ['x-used-weight-10s', 10_000],
      ['X-RateLimit-Used', undefined],
      ['x-mbx-used-weight-1d', 86_400_000],
    ] as const)
      assert.deepEqual(read({ [name]: '640' }), [{ weight: 640, windowMs }]);
  });

  it('is one of each window, the shortest first', () => {
    const headers = {
      'x-mbx-used-weight-1d': '90000',
      'x-mbx-used-weight': '7',
      'x-mbx-used-weight-1m': '6',
    };
    assert.deepEqual(read(headers), [
      { weight: 6, windowMs: 60_000 },
      { weight: 7, windowMs: undefined },
      { weight: 90_000, windowMs: 86_400_000 },
    ]);
  });

  it('is missing when the header cannot be read', () => {
    for (const text of ['', 'many', '-1', '1.5', '1e3', '640, 3', '99999999999', '٣'])
      assert.deepEqual(read({ 'x-used-weight': encodeURI(text) }), [], text);
    const other = read({ 'x-mbx-used-weight': 'many', 'x-used-weight': '5' });
    assert.deepEqual(other, [{ weight: 5, windowMs: undefined }]);
    assert.deepEqual(read({}), []);
  });
});

describe('the limits of exchange information', () => {
  const rateLimit = (interval: string, limit: string, rateLimitType = 'HARD_LIMIT') => {
    return { intervalNum: '1', limit, interval, rateLimitType, extra: {} };
  };

  it('are read in every spelling of type and interval', () => {
    for (const interval of ['MINUTE', 'minute', 'Minutes', 'MINUTES'])
      for (const type of ['HARD_LIMIT', 'hard_limit', 'Request_Weight'])
        assert.deepEqual(parseLimit(rateLimit(interval, '100', type)), {
          weight: 100,
          windowMs: 60_000,
        });
    for (const strange of [
      rateLimit('FORTNIGHT', '70'),
      rateLimit('MINUTE', '90', 'ORDERS'),
      rateLimit('MINUTE', 'many'),
    ])
      assert.equal(parseLimit(strange), undefined);
  });

  it('are kept from the heaviest request on, and up to 31 days', () => {
    const isKept = (interval: string, limit: string, intervalNum = '1'): boolean =>
      parseLimit({ ...rateLimit(interval, limit), intervalNum }) !== undefined;
    assert.deepEqual(
      ['0', '9', '10', '11'].map((limit) => isKept('MINUTE', limit)),
      [false, false, true, true],
    );
    assert.deepEqual(
      ['31', '32'].map((days) => isKept('DAY', '10', days)),
      [true, false],
    );
  });

  it('fall back to at most the number of a limit in an unknown form', () => {
    const orders = rateLimit('MINUTE', '9', 'ORDERS');
    const weightsOf = (...strange: readonly ReturnType<typeof rateLimit>[]) =>
      parseLimits([orders, ...strange]).map(({ weight, windowMs }) => [weight, windowMs]);
    assert.deepEqual(weightsOf(), [[1000, 60_000]]);
    assert.deepEqual(weightsOf(rateLimit('M', '100')), [[100, 60_000]]);
    assert.deepEqual(weightsOf(rateLimit('M', '5000')), [[1000, 60_000]]);
    assert.deepEqual(weightsOf(rateLimit('M', 'many'), rateLimit('M', '0')), [[1000, 60_000]]);
    const day = rateLimit('DAY', '100000');
    assert.deepEqual(weightsOf(rateLimit('M', '100'), day), [
      [100_000, 86_400_000],
      [100, 60_000],
    ]);
    const minute = rateLimit('MINUTE', '6000');
    assert.deepEqual(weightsOf(rateLimit('WEEK', '1'), minute), [[6000, 60_000]]);
    assert.deepEqual(weightsOf(day), [[100_000, 86_400_000]]);
  });

  it('fall back beside known limits when a field could not be read', () => {
    const minute = rateLimit('MINUTE', '6000');
    const beside = (fields: Partial<RateLimit>) => {
      const limits = parseLimits([minute, { ...rateLimit('MINUTE', '100'), ...fields }]);
      return limits.map(({ weight }) => weight);
    };
    assert.deepEqual(beside({ interval: null }), [6000, 100]);
    assert.deepEqual(beside({ intervalNum: null }), [6000, 100]);
    assert.deepEqual(beside({ rateLimitType: null }), [6000, 100]);
    assert.deepEqual(beside({ limit: null }), [6000, 1000]);
    assert.deepEqual(beside({ rateLimitType: 'ORDERS', limit: null }), [6000]);
  });

  it('accept whole numbers of intervals in every notation, and nothing else', () => {
    const windowOf = (intervalNum: string) =>
      parseLimit({ ...rateLimit('MINUTE', '100'), intervalNum })?.windowMs;
    for (const two of ['2', '2.0', '2e0', '0.2E1', '20e-1'])
      assert.equal(windowOf(two), 120_000, two);
    for (const none of ['1.5', '0', '-1', '1e300']) assert.equal(windowOf(none), undefined, none);
  });
});
