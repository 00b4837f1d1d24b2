import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { authenticate } from '../../../src/practice/authentication.ts';
import { movableClock, noon } from './movableClock.ts';

const credentials = { apiKey: 'the-key', apiSecret: 'the-secret' };
const signed = (query: string, secret = 'the-secret') =>
  `${query}&signature=${createHmac('sha256', secret).update(query).digest('hex')}`;
const check = (query: string, key: string | undefined = 'the-key') =>
  authenticate(query, key, credentials, movableClock());

const refused = (query: string, word: RegExp, key?: string, status = 401) =>
  assert.throws(
    () => check(query, key),
    (error: Error & { status?: number }) => {
      assert.equal(error.status, status);
      assert.match(error.message, word);
      assert.doesNotMatch(error.message, /the-|[0-9a-f]{32}|17\d{11}/, 'echoes nothing');
      return true;
    },
  );

describe('authentication at the practice exchange', () => {
  it('accepts the query as it was sent', () => {
    check(signed(`timestamp=${noon}`));
    check(signed(`page=0&symbol=a%2Fb+c&timestamp=${noon}`));
    check(signed(`timestamp=${noon - 60_000}`));
    check(signed(`timestamp=${noon + 60_000}`));
    check(signed(`recvWindow=5000&timestamp=${noon - 5000}`));
  });

  it('knows the key', () => {
    refused(signed(`timestamp=${noon}`), /API key/, 'another-key');
    assert.throws(
      () => authenticate(signed(`timestamp=${noon}`), undefined, credentials, movableClock()),
      /API key/,
    );
  });

  it('refuses a timestamp that is missing, malformed, repeated or far away', () => {
    refused(signed('page=0'), /timestamp/);
    refused(signed('timestamp=now'), /timestamp/);
    refused(signed(`timestamp=${noon}&timestamp=${noon}`), /timestamp/);
    refused(signed(`timestamp=${noon - 60_001}`), /timestamp/);
    refused(signed(`timestamp=${noon + 60_001}`), /timestamp/);
    refused(signed(`timestamp=${Math.floor(noon / 1000)}`), /timestamp/);
  });

  it('lets recvWindow narrow the time, never widen it', () => {
    refused(signed(`recvWindow=5000&timestamp=${noon - 5001}`), /timestamp/);
    refused(signed(`recvWindow=600000&timestamp=${noon - 60_001}`), /timestamp/);
    refused(signed(`recvWindow=soon&timestamp=${noon}`), /recvWindow/, 'the-key', 400);
  });

  it('refuses a signature that is missing, wrong or not the last', () => {
    refused(`timestamp=${noon}`, /signature/);
    refused(`timestamp=${noon}&signature=`, /signature/);
    refused(signed(`timestamp=${noon}`, 'another-secret'), /signature/);
    refused(`${signed(`timestamp=${noon}`)}&page=0`, /signature/);
    refused(signed(`page=0&timestamp=${noon}`).replace('page=0', 'page=1'), /signature/);
  });
});
