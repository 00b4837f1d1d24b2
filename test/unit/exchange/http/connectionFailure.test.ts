import assert from 'node:assert/strict';
import { phrase } from '../../../../src/base/phrase.ts';
import { connectionFailure } from '../../../../src/exchange/http/connectionFailure.ts';

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
    const byLibrary = Object.assign(coded('EPROTO'), { erroredSysCall: 'write' });
    assert.equal(connectionFailure(byLibrary).sent, 'no');
    for (const [sent, ...failures] of [
      ['no', 'ENOTFOUND getaddrinfo', 'EHOSTUNREACH connect', 'CERT_HAS_EXPIRED', 'EPROTO write'],
      ['maybe', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_BAD_RECORD_TYPE'],
      ['no', 'ETIMEDOUT connect', 'EACCES connect', 'EAI_FAIL getaddrinfo'],
      ['maybe', 'EHOSTUNREACH read', 'ECONNRESET write', 'ETIMEDOUT'],
    ])
      for (const failure of failures) {
        const [code = '', syscall] = failure.split(' ');
        assert.equal(connectionFailure(coded(code, syscall)).sent, sent, failure);
      }
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

  it('is classified by whether another try can succeed', () => {
    for (const [connection, ...codes] of [
      ['closed', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
      ['unreachable', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'],
      ['certificate', 'CERT_HAS_EXPIRED', 'CERT_UNTRUSTED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      ['certificate', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'],
      ['certificate', 'HOSTNAME_MISMATCH', 'INVALID_CA', 'SELF_SIGNED_CERT_IN_CHAIN'],
      ['certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      ['lost', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORTED_EPROTO'],
    ])
      for (const code of codes) {
        const found = connectionFailure(Object.assign(new Error(), { code }));
        assert.equal(found.connection, connection, code);
      }
  });
});
