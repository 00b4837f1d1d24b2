import assert from 'node:assert/strict';
import { defaultConventions } from '../../../src/exchange/conventions/apiConventions.ts';
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
    sees: 'a gateway answered, and nothing about the key',
    check: () => {
      for (const operation of ['accounts', 'cancelAll'] as const) {
        const failure = failureOf(status, text, operation);
        assert.match(errorText(new ExchangeError(failure), aDisplay()), /a gateway answered/);
        assert.match(readFailureText(failure, aDisplay()), /^a gateway answered/);
        assert.doesNotMatch(errorText(new ExchangeError(failure), aDisplay()), /key|credential/i);
        assert.ok(!isSignInRefused(new ExchangeError(failure)));
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
