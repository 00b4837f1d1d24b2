import assert from 'node:assert/strict';
import type { ErrorKind, Failure } from '../../../../src/exchange/exchangeError.ts';
import { isTransient, shouldRetry, retryDelayMs } from '../../../../src/exchange/http/retry.ts';

function failure(kind: ErrorKind, fields: Partial<Failure> = {}): Failure {
  return { kind, sent: 'yes', operation: 'accounts', ...fields };
}

describe('a read that failed', () => {
  it('is not sent again for a certificate that is not trusted, a ban, or a limit of our own', () => {
    assert.ok(!isTransient(failure('network', { connection: 'certificate' })));
    assert.ok(!isTransient(failure('rateLimited', { sent: 'no' })));
    assert.ok(!isTransient(failure('rateLimited', { status: 418 })));
    assert.ok(isTransient(failure('rateLimited', { status: 429 })));
  });

  it('waits for the end of a pause, unless it is a refresh, which is due again anyway', () => {
    const pauses = [
      failure('rateLimited', { status: 429 }),
      failure('server', { status: 503, retryAfterMs: 1000 }),
    ];
    for (const one of pauses) {
      const again = (['cancel', 'interactive', 'bulk', 'refresh'] as const).map((priority) =>
        shouldRetry(one, 1, priority),
      );
      assert.deepEqual(again, [true, true, true, false]);
    }
    assert.ok(shouldRetry(failure('server', { status: 503 }), 1, 'refresh'));
  });
});

describe('the pause before a read is sent again', () => {
  it('is random up to 0.5 s, then random up to 1 s', () => {
    const pauses = [0, 0.5, 1].map((random) =>
      [1, 2].map((attempt) => retryDelayMs(failure('server'), attempt, () => random)),
    );
    assert.deepEqual(pauses, [
      [0, 0],
      [250, 500],
      [500, 1000],
    ]);
  });

  it('is skipped once if a kept-alive connection was closed', () => {
    const closed = failure('network', { sent: 'maybe', connection: 'closed' });
    const found = [1, 2].map((attempt) => retryDelayMs(closed, attempt, () => 1));
    assert.deepEqual(found, [0, 1000]);
    const shown = retryDelayMs({ ...closed, status: 200 }, 1, () => 1);
    assert.equal(shown, 500);
    const seen = retryDelayMs({ ...closed, connection: 'lost' }, 1, () => 1);
    assert.equal(seen, 500);
  });
});
