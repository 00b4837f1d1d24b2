import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { largestPackageBytes, packagedVsix } from '../support/vsix.ts';

describe('the package', () => {
  it('is below a megabyte', async () => {
    const { size } = await stat(await packagedVsix());
    assert.ok(size > 0 && size < largestPackageBytes, `${size} bytes`);
  });
});
