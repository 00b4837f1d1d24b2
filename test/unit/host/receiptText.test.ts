import assert from 'node:assert/strict';
import { cancelAllUnderTest } from '../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { receiptText } = await import('../../../src/host/commands/receiptText.ts');

describe('the text of a receipt', () => {
  it('has each of its times in the chosen zone and in the other', async () => {
    const { cancelAll, receipts } = cancelAllUnderTest();
    await cancelAll.press();
    const receipt = receipts.kept.at(-1) ?? assert.fail('no receipt');
    const display = aDisplay({ timeZone: 'Asia/Tokyo', otherTimeZone: 'UTC' });
    const lines = receiptText(receipt, display).split('\n');
    const day = 'Thursday, January 1, 2026';
    const both = `${day} · 2026-01-01 09:00:00.000 UTC+9 · 2026-01-01 00:00:00.000 UTC`;
    assert.deepEqual(
      lines.filter((line) => line.includes(day)),
      [
        `account read ${both}`,
        `sent         ${both}`,
        `ended        ${both}`,
        `Locked at ${both}:`,
      ],
    );
  });
});
