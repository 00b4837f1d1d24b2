import assert from 'node:assert/strict';
import { receiptDocument } from '../../../../src/host/cancelAll/receiptDocument.ts';
import { receiptMarkdown } from '../../../../src/host/cancelAll/receiptMarkdown.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  reportOf,
} from '../../../support/cancelAllUnderTest.ts';
import { someLocked } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';

async function markdownOf(status: string): Promise<string> {
  const canceled = [aCanceledOrder({ status, price: '1.10E-7', amount: '-5' })];
  const { cancelAll, report } = cancelAllUnderTest({ canceled, locked: [[someLocked()], []] });
  await cancelAll.run();
  return receiptMarkdown(receiptDocument(reportOf(report()), aDisplay()));
}

describe('a receipt as Markdown', () => {
  it('has the outcome, the timeline, what was locked, and every digit of the orders', async () => {
    const lines = (await markdownOf('CANCELED')).split('\n');
    const time = 'Thursday, January 1, 2026 · 2026-01-01 00:00:00.000 UTC';
    for (const line of [
      '# Cancel-all receipt: done',
      '1 order cancelled.',
      'Nothing is locked now.',
      `- **Sent**: ${time} · One request, never sent again`,
      `  - 0 s: Nothing locked \\(${time}\\)`,
      '| btc\\_usdt | Buy | 2 | 100 | none | none |',
    ])
      assert.ok(lines.includes(line), line);
    assert.match(lines.at(-2) ?? '', /\| -5 \|.*\| 0\.00000011 \|.*\| CANCELED \|/);
  });

  it('makes no markup, link or address of a text of the exchange', async () => {
    const markdown = await markdownOf(
      '<b>|![x](https://evil.example)| www.evil.example a@b.example `c` javascript:alert(1)',
    );
    const shown =
      '\\<b\\>\\|\\!\\[x\\]\\(https\\://evil.example\\)\\| www\\.evil.example a\\@b.example \\`c\\` javascript\\:alert\\(1\\)';
    assert.ok(markdown.includes(`| ${shown} |`), markdown);
  });
});
