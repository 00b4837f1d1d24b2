import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { ExportFileError, withFileErrors } from '../../../../src/account/export/exportFileError.ts';
import { LedgerError } from '../../../../src/ledger/ledgerError.ts';

/** An error as the system gives it. */
function systemError(code: string): Error {
  const syscall = 'write';
  return Object.assign(new Error(`${code}: no`), { code, syscall });
}

describe('a disk that fails', () => {
  for (const [code, problem] of [
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EACCES', 'forbidden'],
    ['EROFS', 'forbidden'],
    ['ENOENT', 'missing'],
    ['EBUSY', 'other'],
  ] as const) {
    it(`with ${code} is reported as ${problem}, without the system’s text`, async () => {
      const failing = withFileErrors('target', () => Promise.reject(systemError(code)));
      await assert.rejects(failing, (error) => {
        assert.ok(error instanceof ExportFileError);
        assert.deepEqual([error.problem, error.location, error.code], [problem, 'target', code]);
        return error.message === `target: ${code}` && error.cause === undefined;
      });
    });
  }

  it('is reported as a disk error, and our own errors are not', async () => {
    const fault = new TypeError('ours');
    await assert.rejects(
      withFileErrors('storage', () => Promise.reject(fault)),
      (error) => error === fault,
    );
  });

  it('is that of the storage if the ledger of an export fails, and not of a target', async () => {
    const failure = new LedgerError('full', 'SQLite 13');
    const failing = (location: 'storage' | 'target') =>
      withFileErrors(location, () => Promise.reject(failure)).catch((error: unknown) => error);
    assert.deepEqual(await failing('storage'), new ExportFileError('storage', failure));
    assert.equal(await failing('target'), failure);
  });

  // A disk that is always full, if the system has one.
  if (existsSync('/dev/full')) {
    it('says so when it is full', async () => {
      const failing = withFileErrors('storage', () => writeFile('/dev/full', 'x'));
      await assert.rejects(failing, { problem: 'full', location: 'storage' });
    });
  }
});
