import assert from 'node:assert/strict';
import { usedWeights } from '../../../../src/exchange/ledger/usedWeight.ts';

describe('the used weight of a header', () => {
  const told = (headers: Record<string, string>) => usedWeights(new Headers(headers));

  it('is read with the window that the name tells', () => {
    for (const [name, windowMs] of [
      ['X-MBX-USED-WEIGHT-1M', 60_000],
      ['X-MBX-USED-WEIGHT', undefined],
      ['x-used-weight-10s', 10_000],
      ['X-RateLimit-Used', undefined],
      ['x-mbx-used-weight-1d', 86_400_000],
    ] as const)
      assert.deepEqual(told({ [name]: '640' }), [{ weight: 640, windowMs }]);
  });

  it('is one of each window where there are several, from the shortest', () => {
    const headers = {
      'x-mbx-used-weight-1d': '90000',
      'x-mbx-used-weight': '7',
      'x-mbx-used-weight-1m': '6',
    };
    assert.deepEqual(told(headers), [
      { weight: 6, windowMs: 60_000 },
      { weight: 7, windowMs: undefined },
      { weight: 90_000, windowMs: 86_400_000 },
    ]);
  });

  it('is nothing where the header tells nothing that can be understood', () => {
    for (const text of ['', 'many', '-1', '1.5', '1e3', '640, 3', '99999999999', '٣'])
      assert.deepEqual(told({ 'x-used-weight': encodeURI(text) }), [], text);
    const other = told({ 'x-mbx-used-weight': 'many', 'x-used-weight': '5' });
    assert.deepEqual(other, [{ weight: 5, windowMs: undefined }]);
    assert.deepEqual(told({}), []);
  });
});
