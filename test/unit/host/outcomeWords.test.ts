import assert from 'node:assert/strict';
import type { Receipt } from '../../../src/account/receipts.ts';
import { ExchangeError } from '../../../src/exchange/errors.ts';
import { someLocked } from '../../support/builders.ts';
import { cancelAllUnderTest, failed } from '../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { outcomeWords } = await import('../../../src/host/commands/outcomeWords.ts');
const { reportWords } = await import('../../../src/host/commands/cancelReport.ts');
const { sentenceFor } = await import('../../../src/host/words.ts');

const display = aDisplay();
const locked = [someLocked({ lockedBid: '7654321' })];

/** The last receipt of an unknown cancel-all, all of whose read-backs but the first fail. */
async function readBackOnce(): Promise<Receipt> {
  const script = { canceled: failed({}), locked: [[], locked, failed({})] };
  const { cancelAll, clock, receipts } = cancelAllUnderTest(script);
  await cancelAll.press();
  await clock.advance(15_000);
  return receipts.kept.at(-1) ?? assert.fail();
}

describe('what is said of a cancel-all', () => {
  it('is what was read back last, with its time, where later reads failed', async () => {
    const receipt = await readBackOnce();
    assert.deepEqual(
      receipt.after.map((one) => one.locked?.length),
      [1, undefined, undefined, undefined],
    );
    const words = outcomeWords(receipt, display);
    assert.doesNotMatch(words, /could not be read back/);
    assert.match(
      words,
      /Locked at \d\d:\d\d:\d\d UTC: btc_usdt: bids 2 \(locked 7,654,321\); later reads failed\./,
    );
  });

  it('is told in a notification, which stays, with its time and what is locked, masked in privacy', async () => {
    const report = { receipt: await readBackOnce(), isKept: true, awaitsHistory: false };
    const words = reportWords(report, display);
    assert.match(words, /^Mine · TEST, \d\d:\d\d:\d\d UTC: Unknown whether/);
    const figures =
      /Locked at \d\d:\d\d:\d\d UTC: btc_usdt: bids 2 \(locked 7,654,321\); later reads failed\./;
    assert.match(words, figures);
    const masked = reportWords(report, aDisplay({ hidesMoney: true }));
    assert.match(masked, /UTC: btc_usdt: bids ••• \(locked •••\); later reads failed\./);
    assert.doesNotMatch(masked, /7,?654/);
  });

  it('names in a notification what is locked per symbol after an answer too', async () => {
    const { cancelAll, report } = cancelAllUnderTest({ locked: [[], locked] });
    await cancelAll.press();
    cancelAll.dispose();
    assert.match(
      reportWords({ receipt: report(), isKept: true, awaitsHistory: false }, display),
      /Still locked \(left over or placed since, the interface does not tell\): btc_usdt: bids 2 \(locked 7,654,321\)\.$/,
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
        await cancelAll.press();
        cancelAll.dispose();
        const words = outcomeWords(report(), display);
        const [, list = '', more] = / (coin0_usdt: .*) and (\d+) more\./.exec(words) ?? [];
        const entries = list.split('; ');
        assert.equal(entries.length + Number(more), 40);
        const shown = display.full('lockedBid', lockedBid);
        assert.deepEqual(
          entries,
          entries.map((_, index) => `coin${index}_usdt: bids ${shown} (locked ${shown})`),
        );
      }
    }
  });

  it('is not that the history could not be read while it is being read', async () => {
    const script = { canceled: failed({}), history: failed({}) };
    const { cancelAll, report } = cancelAllUnderTest(script);
    await cancelAll.press();
    const says = (awaitsHistory: boolean) =>
      reportWords({ receipt: report(), isKept: true, awaitsHistory }, display);
    assert.match(says(true), / The order history is still being read\.$/);
    assert.match(says(false), / The order history could not be read\.$/);
    assert.match(
      outcomeWords(report(), display),
      / The order history could not be read, or not yet\.$/,
    );
  });

  it('says where its receipt could not be kept', async () => {
    const receipt = await readBackOnce();
    assert.match(
      reportWords({ receipt, isKept: false, awaitsHistory: false }, display),
      / Its receipt could not be kept: [^.]+\.$/,
    );
    assert.doesNotMatch(
      reportWords({ receipt, isKept: true, awaitsHistory: false }, display),
      /kept/,
    );
  });

  it('has no empty brackets where a connection failed in an unknown way', () => {
    const error = new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'cancelAll' });
    assert.match(
      sentenceFor(error, display),
      /^The connection failed during cancelling all open orders\. /,
    );
    const certificate = failed({ connection: 'certificate' });
    assert.match(
      sentenceFor(certificate, display),
      /^No safe connection could be made for [^(]+\. /,
    );
    assert.match(sentenceFor(failed({ detail: 'EPIPE' }), display), /orders \(EPIPE\)\. /);
  });
});
