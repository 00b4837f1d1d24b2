import assert from 'node:assert/strict';
import { connectionFailure } from '../../../src/exchange/connection.ts';
import { phrase } from '../../../src/base/phrase.ts';

describe('a broken connection', () => {
  it('was not sent when it was never made, and may have been otherwise', () => {
    const coded = (code: string, syscall?: string) =>
      Object.assign(new Error('secret words'), { code, ...(syscall ? { syscall } : {}) });
    const refused = new TypeError('fetch failed', { cause: coded('ECONNREFUSED', 'connect') });
    assert.deepEqual(connectionFailure(refused), {
      kind: 'network',
      sent: 'no',
      connection: 'unreachable',
      detail: 'ECONNREFUSED',
    });
    assert.equal(connectionFailure(coded('ENOTFOUND', 'getaddrinfo')).sent, 'no');
    assert.equal(connectionFailure(coded('EHOSTUNREACH', 'connect')).sent, 'no');
    assert.equal(connectionFailure(coded('CERT_HAS_EXPIRED')).sent, 'no');
    assert.equal(connectionFailure(coded('EPROTO', 'write')).sent, 'no');
    const byLibrary = Object.assign(coded('EPROTO'), { erroredSysCall: 'write' });
    assert.equal(connectionFailure(byLibrary).sent, 'no');
    for (const code of ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_BAD_RECORD_TYPE'])
      assert.equal(connectionFailure(coded(code)).sent, 'maybe', code);
    assert.equal(connectionFailure(coded('EHOSTUNREACH', 'read')).sent, 'maybe');
    assert.equal(connectionFailure(coded('ECONNRESET', 'write')).sent, 'maybe');
    assert.equal(connectionFailure(coded('ETIMEDOUT')).sent, 'maybe');
    assert.deepEqual(connectionFailure(new Error('secret words')), {
      kind: 'network',
      sent: 'maybe',
      connection: 'lost',
      detail: phrase('connection lost'),
    });
  });

  it('is looked up in every address that was tried', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const all = new TypeError('fetch failed', {
      cause: Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' }),
    });
    assert.equal(connectionFailure(all).sent, 'no');
  });

  it('is told apart by what may come of another try', () => {
    const connectionOf = (code: string) =>
      connectionFailure(Object.assign(new Error(), { code })).connection;
    for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
      assert.equal(connectionOf(code), 'closed', code);
    for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
      assert.equal(connectionOf(code), 'unreachable', code);
    const untrusted = [
      'CERT_HAS_EXPIRED',
      'CERT_UNTRUSTED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'EPROTO',
      'HOSTNAME_MISMATCH',
      'INVALID_CA',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ];
    for (const code of untrusted) assert.equal(connectionOf(code), 'certificate', code);
    for (const code of ['ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORTED_EPROTO'])
      assert.equal(connectionOf(code), 'lost', code);
  });
});
