import assert from 'node:assert/strict';
import type { Receipt } from '../../../../src/account/cancelAll/receipts.ts';
import {
  ExchangeError,
  type ErrorKind,
  type Failure,
} from '../../../../src/exchange/exchangeError.ts';
import { someLocked } from '../../../support/builders.ts';
import { cancelAllUnderTest, failed, reportOf } from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { outcomeText } from '../../../../src/host/cancelAll/outcomeText.ts';
import { cancelReportText } from '../../../../src/host/cancelAll/cancelAllCommand.ts';
import { errorText } from '../../../../src/host/text/failureText.ts';

const display = aDisplay();
const locked = [someLocked({ lockedBid: '7654321' })];

const region =
  'It may block your region, a VPN or too many requests: try again later or from another network. Otherwise check the base URL.';
const redirected =
  'The redirect was not followed, so no key was sent there. Check the base URL. If the exchange has moved, change it with “Margin Desk: Edit Profile…”.';
const gateway = `Cancel-all: a gateway seems to have answered, not the exchange (HTTP {0}). ${region}`;

/** Why the result of a cancel-all is unknown, after each kind of failure. */
const reasons: readonly (readonly [ErrorKind, Partial<Failure>, reason: string])[] = [
  ['auth', { status: 403 }, 'The exchange returned HTTP 403.'],
  ['auth', { status: 403, isFromGateway: true }, gateway],
  ['refused', { status: 400 }, 'The exchange returned HTTP 400.'],
  ['refused', { status: 409, serverWords: 'no' }, 'The exchange returned HTTP 409: “no”.'],
  ['refused', { status: 400, isFromGateway: true }, gateway],
  [
    'refused',
    { status: 407, isFromGateway: true },
    'Cancel-all: the proxy requires sign-in (HTTP 407). Check the proxy settings of VS Code and the sign-in that the proxy requires.',
  ],
  [
    'rateLimited',
    { status: 429, isFromGateway: true, retryAfterMs: 2500 },
    'Cancel-all: rate limited by the exchange (HTTP 429). Try again in 3 s.',
  ],
  [
    'network',
    { sent: 'maybe', detail: 'ECONNRESET' },
    'Cancel-all: the connection failed (ECONNRESET). Check the network and whether the exchange is running, then refresh.',
  ],
  [
    'timeout',
    { sent: 'maybe' },
    'Cancel-all: the exchange did not answer in time. Check the network, then refresh.',
  ],
  ['timeout', { status: 408, isFromGateway: true }, gateway],
  [
    'server',
    { status: 500, serverWords: 'no' },
    'Cancel-all: the exchange returned an error (HTTP 500: “no”). Try again later.',
  ],
  ['server', { status: 502, isFromGateway: true }, gateway],
  [
    'malformed',
    { status: 200, detail: phrase('{0} is missing', '$') },
    'Cancel-all: the response does not match the API: $ is missing. Check your open orders at the exchange.',
  ],
  [
    'malformed',
    { status: 202, detail: phrase('HTTP {0}', 202), serverWords: 'no' },
    'Cancel-all: the response does not match the API: HTTP 202. The exchange returned HTTP 202: “no”. Check your open orders at the exchange.',
  ],
  [
    'tooLarge',
    { status: 200, detail: phrase('{0} MB', 8) },
    'Cancel-all: the response is larger than 8 MB and was dropped. Check the base URL.',
  ],
  [
    'redirected',
    { status: 302, detail: 'elsewhere.example', isFromGateway: true },
    `Cancel-all: the exchange redirected the request to elsewhere.example. ${redirected}`,
  ],
];

/** The last receipt of an unknown cancel-all, all of whose read-backs but the first fail. */
async function readBackOnce(): Promise<Receipt> {
  const script = { canceled: failed({}), locked: [[], locked, failed({})] };
  const { cancelAll, clock, receipts } = cancelAllUnderTest(script);
  await cancelAll.run();
  await clock.advance(15_000);
  return receipts.kept.at(-1) ?? assert.fail();
}

describe('what is said of a cancel-all', () => {
  it('is what was read back last, with its time, when later reads failed', async () => {
    const receipt = await readBackOnce();
    const found = receipt.after.map((one) => one.locked?.length);
    assert.deepEqual(found, [1, undefined, undefined, undefined]);
    const words = outcomeText(receipt, display);
    assert.doesNotMatch(words, /could not be read afterwards/);
    assert.match(
      words,
      /Locked at \d\d:\d\d:\d\d UTC: btc_usdt: Buy 2 · 7,654,321 locked\. Later reads failed\./,
    );
  });

  it('ends with what is locked, and after how many seconds', async () => {
    const script = { canceled: failed({}), locked: [[], locked] };
    const { cancelAll, clock, receipts } = cancelAllUnderTest(script);
    await cancelAll.run();
    await clock.advance(15_000);
    assert.match(
      outcomeText(receipts.kept.at(-1) ?? assert.fail(), display),
      / Still locked after 15 s: btc_usdt: Buy 2 · 7,654,321 locked\.$/,
    );
  });

  it('is a short notification without a later read when the result is unknown', async () => {
    const script = { canceled: failed({}), locked: [[], failed({}), locked] };
    const { cancelAll, clock, seen } = cancelAllUnderTest(script);
    await cancelAll.run();
    await clock.advance(15_000);
    const name = 'A profile with a long name';
    const said = seen.reports.map((receipt) =>
      cancelReportText(reportOf({ ...receipt, profile: name }, { isSaved: false }), display),
    );
    const label = 'TEST · A profile wit…, 00:00';
    assert.deepEqual(said, [
      `${label}:00 UTC: Result unknown. The request was sent once and not retried.`,
      `${label}:15 UTC: Result unknown. Still locked after 15 s.`,
    ]);
  });

  it('says at the end that nothing is locked', async () => {
    const script = { canceled: failed({}), locked: [locked, locked, []] };
    const { cancelAll, clock, report } = cancelAllUnderTest(script);
    await cancelAll.run();
    await clock.advance(15_000);
    assert.equal(
      cancelReportText(reportOf(report()), display),
      'TEST · Mine, 00:00:02 UTC: Result unknown. Nothing is locked now.',
    );
  });

  it('says in whole sentences why the result is unknown, after each kind of failure', async () => {
    for (const [kind, failure, reason] of reasons) {
      const canceled = failed({ kind, sent: 'yes', ...failure });
      const { cancelAll, report } = cancelAllUnderTest({ canceled });
      await cancelAll.run();
      assert.equal(
        outcomeText(report(), display),
        `Result unknown. The request was sent once and not retried. ${reason.replace('{0}', String(failure.status))} Nothing is locked now (cancelled or executed).`,
      );
    }
  });

  it('masks what is locked in privacy mode', async () => {
    const words = outcomeText(await readBackOnce(), aDisplay({ hidesMoney: true }));
    assert.match(words, /UTC: btc_usdt: Buy ••• · ••• locked\. Later reads failed\./);
    assert.doesNotMatch(words, /7,?654/);
  });

  it('names in a notification what is locked per symbol after an answer too', async () => {
    const { cancelAll, report } = cancelAllUnderTest({ locked: [[], locked] });
    await cancelAll.run();
    cancelAll.dispose();
    assert.match(
      cancelReportText(reportOf(report()), display),
      /Still locked \(not cancelled, or placed since\): btc_usdt: Buy 2 · 7,654,321 locked\.$/,
    );
  });

  it('names whole entries of a long list, and says how many more there are', async () => {
    const figure = `1234567.${'9'.repeat(300)}`;
    for (const lockedBid of ['7654321', figure, `${figure}${'1'.repeat(91)}`]) {
      const many = Array.from({ length: 40 }, (_, index) =>
        someLocked({ symbol: `coin${index}_usdt`, lockedBid, sumSizeBid: lockedBid }),
      );
      for (const canceled of [[], failed({})]) {
        const { cancelAll, report } = cancelAllUnderTest({ canceled, locked: [[], many] });
        await cancelAll.run();
        cancelAll.dispose();
        const words = outcomeText(report(), display);
        const [, list = '', more] = / (coin0_usdt: .*) and (\d+) more\./.exec(words) ?? [];
        const entries = list.split('; ');
        assert.equal(entries.length + Number(more), 40);
        const shown = display.compact('lockedBid', lockedBid);
        assert.deepEqual(
          entries,
          entries.map((_, index) => `coin${index}_usdt: Buy ${shown} · ${shown} locked`),
        );
      }
    }
  });

  it('stays short, however many symbols are still locked', async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      someLocked({ symbol: `coin${index}_usdt` }),
    );
    const { cancelAll, report } = cancelAllUnderTest({ locked: [[], many] });
    await cancelAll.run();
    cancelAll.dispose();
    const words = cancelReportText(reportOf(report()), display);
    assert.match(words, / and \d+ more\.$/);
    assert.ok(words.length < 250, words);
  });

  it('says that its receipt could not be stored', async () => {
    const { cancelAll, report } = cancelAllUnderTest();
    await cancelAll.run();
    assert.match(
      cancelReportText(reportOf(report(), { isSaved: false }), display),
      / The receipt could not be stored: [^.]+\.$/,
    );
    assert.doesNotMatch(cancelReportText(reportOf(report()), display), /stored/);
  });

  it('has no empty brackets when a connection failed in an unknown way', () => {
    const error = new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'cancelAll' });
    assert.match(errorText(error, display), /^Cancel-all: the connection failed\. /);
    const certificate = failed({ connection: 'certificate' });
    assert.match(errorText(certificate, display), /^Cancel-all: no secure connection\. /);
    assert.match(errorText(failed({ detail: 'EPIPE' }), display), /failed \(EPIPE\)\. /);
  });
});
