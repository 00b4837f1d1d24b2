import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { authenticate } from '../../../../src/practice/http/requestAuthentication.ts';
import { movableClock, noon } from '../movableClock.ts';

const credentials = { apiKey: 'the-key', apiSecret: 'the-secret' };
const signed = (query: string, secret = 'the-secret') =>
  `${query}&signature=${createHmac('sha256', secret).update(query).digest('hex')}`;
const check = (query: string, key: string | undefined = 'the-key') =>
  authenticate(query, key, credentials, movableClock());

function assertRejected(query: string, word: RegExp, key?: string, status = 401): void {
  const message = new RegExp(`^(?!.*(?:the-|[0-9a-f]{32}|17\\d{11})).*${word.source}`, 's');
  assert.throws(() => check(query, key), { status, message });
}

describe('authentication of the practice exchange', () => {
  it('accepts a query that is signed as sent', () => {
    check(signed(`timestamp=${noon}`));
    check(signed(`page=0&symbol=a%2Fb+c&timestamp=${noon}`));
    check(signed(`timestamp=${noon - 60_000}`));
    check(signed(`timestamp=${noon + 60_000}`));
    check(signed(`recvWindow=5000&timestamp=${noon - 5000}`));
  });

  it('rejects a timestamp that is missing, malformed, repeated or too far away', () => {
    assertRejected(signed('page=0'), /timestamp/);
    assertRejected(signed('timestamp=now'), /timestamp/);
    assertRejected(signed(`timestamp=${noon}&timestamp=${noon}`), /timestamp/);
    assertRejected(signed(`timestamp=${noon - 60_001}`), /timestamp/);
    assertRejected(signed(`timestamp=${noon + 60_001}`), /timestamp/);
    assertRejected(signed(`timestamp=${Math.floor(noon / 1000)}`), /timestamp/);
  });

  it('lets recvWindow shorten the allowed difference, but not extend it', () => {
    assertRejected(signed(`recvWindow=5000&timestamp=${noon - 5001}`), /timestamp/);
    assertRejected(signed(`recvWindow=600000&timestamp=${noon - 60_001}`), /timestamp/);
    assertRejected(signed(`recvWindow=soon&timestamp=${noon}`), /recvWindow/, 'the-key', 400);
  });

  it('rejects a signature that is missing, wrong or not the last parameter', () => {
    assertRejected(`timestamp=${noon}`, /signature/);
    assertRejected(`timestamp=${noon}&signature=`, /signature/);
    assertRejected(signed(`timestamp=${noon}`, 'another-secret'), /signature/);
    assertRejected(`${signed(`timestamp=${noon}`)}&page=0`, /signature/);
    assertRejected(signed(`page=0&timestamp=${noon}`).replace('page=0', 'page=1'), /signature/);
  });
});
