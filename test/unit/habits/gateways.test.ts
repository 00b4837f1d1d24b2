import assert from 'node:assert/strict';
import { cancelOutcome } from '../../../src/account/cancelAll/cancelOutcome.ts';
import { defaultConventions } from '../../../src/exchange/history/apiConventions.ts';
import {
  ExchangeError,
  isSignInRefused,
  type Failure,
} from '../../../src/exchange/exchangeError.ts';
import { failureFromStatus } from '../../../src/exchange/http/failures.ts';
import { errorText, readFailureText } from '../../../src/host/text/failureText.ts';
import { aDisplay } from '../../support/display.ts';
import { testHabits, type Habit } from '../../support/habits.ts';

const htmlOf = (title: string) => `<!DOCTYPE html>\n<html><title>${title}</title></html>`;

function failureOf(status: number, text: string, operation: Failure['operation']): Failure {
  const head = { status, headers: { get: () => null } };
  const { overLimitStatuses } = defaultConventions;
  return { operation, sent: 'yes', status, ...failureFromStatus(head, text, overLimitStatuses, 0) };
}

function gatewayRow(habit: string, source: string, status: number, text: string): Habit {
  return {
    habit,
    source,
    sees: 'a gateway, and nothing about the key',
    check: () => {
      for (const operation of ['accounts', 'cancelAll'] as const) {
        const failure = failureOf(status, text, operation);
        const shown = errorText(new ExchangeError(failure), aDisplay());
        assert.match(shown, /a gateway seems to have answered/);
        assert.match(shown, /your region, a VPN or too many requests/);
        assert.match(readFailureText(failure, aDisplay()), /^a gateway seems to have answered/);
        assert.doesNotMatch(shown, /key|credential/i);
        assert.ok(!isSignInRefused(new ExchangeError(failure)));
        const ended = { kind: 'failed', failure } as const;
        assert.equal(cancelOutcome(ended, [], undefined), 'unknown');
      }
    },
  };
}

function keyRow(habit: string, status: number, text: string): Habit {
  return {
    habit,
    source: 'sibling',
    sees: 'that the credentials were rejected',
    check: () => {
      const error = new ExchangeError(failureOf(status, text, 'accounts'));
      assert.match(errorText(error, aDisplay()), /rejected the credentials/);
      assert.ok(isSignInRefused(error));
    },
  };
}

testHabits('gateways', [
  gatewayRow('a CloudFront page with 403', 'Bybit, CloudFront', 403, htmlOf('403 ERROR')),
  gatewayRow('a Cloudflare page with 403', 'sibling', 403, htmlOf('Attention Required!')),
  gatewayRow('a firewall’s code with 403', 'sibling', 403, 'error code: 1020'),
  gatewayRow('a login page with 401', 'sibling', 401, htmlOf('Sign in')),
  gatewayRow('a page with 451', 'sibling', 451, htmlOf('Unavailable For Legal Reasons')),
  gatewayRow('a page with 503', 'sibling', 503, htmlOf('503 Service Temporarily Unavailable')),
  gatewayRow('a page with 404', 'sibling', 404, htmlOf('404 Not Found')),
  ...[
    '{"message":"Forbidden"}',
    '{"code":403,"message":"Forbidden"}',
    '',
    'Forbidden',
    'Request forbidden by administrative rules.',
    'The Amazon CloudFront distribution is configured to block access from your country.',
    'RBAC: access denied',
    'Your IP is blocked',
    '{"cf_error":true,"title":"Error 1020: Access denied"}',
    '{"detail":"The site owner has blocked access based on your browser’s signature.","error_code":1010}',
    '{"msg":"Service unavailable from a restricted location"}',
  ].map((text) => gatewayRow(`a 403 that says ${text || 'nothing'}`, 'a gateway', 403, text)),
  ...[
    '{"code":-2015}',
    '{"code":"PERMISSION_DENIED"}',
    '{"code":"AccessDenied","message":"ApiKey invalid"}',
    '{"message":"Invalid signature"}',
    '{"message":"This account is suspended"}',
    '{"error":"not authorized"}',
    'Forbidden: unmatched IP whitelist',
    'Timestamp outside of recvWindow',
    'Please sign in',
    'Not with this key',
  ].map((text) => keyRow(`a 403 that says ${text}`, 403, text)),
  keyRow('its own JSON with 403', 403, '{"code":-2015,"msg":"IP is not on the whitelist"}'),
  keyRow('its own words with 403', 403, 'Invalid API-key, IP, or permissions for action.'),
  keyRow('its own words with 401', 401, 'Bad token'),
  keyRow('an empty 401', 401, ''),
  {
    habit: 'its own JSON with 451',
    source: 'Binance',
    sees: 'that the region may be blocked, and nothing about the key',
    check: () => {
      const text = '{"code":0,"msg":"Service unavailable from a restricted location"}';
      const shown = errorText(new ExchangeError(failureOf(451, text, 'accounts')), aDisplay());
      assert.match(shown, /restricted location.*region/);
      assert.doesNotMatch(shown, /key/);
    },
  },
]);
