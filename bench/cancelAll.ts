import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as v from 'valibot';
import { receiptDocument } from '../src/host/cancelAll/receiptDocument.ts';
import { ReceiptFiles } from '../src/host/cancelAll/receiptFiles.ts';
import { documentMarkdown } from '../src/host/webview/markdown.ts';
import { documentSchema } from '../src/protocol/document.ts';
import type { ColumnLayout } from '../src/protocol/gridMessages.ts';
import { cancelAllOverHttp } from '../test/support/cancelAllOverHttp.ts';
import { noReceiptActions, reportOf } from '../test/support/cancelAllUnderTest.ts';
import { aDisplay } from '../test/support/display.ts';
import { clientFor } from '../test/support/exchangeClient.ts';
import { hostileExchange } from '../test/support/hostileExchange.ts';
import { rowsOf } from '../test/support/hostileExchange/rows.ts';
import { temporaryFolder } from '../test/support/project.ts';
import { timeOf, type Figure } from './figures.ts';
import { sizes } from './sizes.ts';
import { defaultLayout } from '../src/protocol/values.ts';

/** What a cancel-all that returns many orders blocks, from the answer to its receipt in a page and as Markdown. */
export async function cancelAllFigures(): Promise<Figure[]> {
  const count = sizes.canceledOrders;
  const exchange = await hostileExchange({ openOrders: rowsOf('orders', count) });
  const folder = await temporaryFolder();
  const runner = cancelAllOverHttp({ client: clientFor(exchange), url: exchange.url });
  const files = new ReceiptFiles(folder.path);
  runner.receipts.save = (receipt) => files.save(receipt);
  const display = aDisplay();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await runner.cancelAll.run();
  delay.disable();
  const [receipt] = runner.reports;
  if (receipt?.canceled.length !== count) throw new Error('not every order was returned');
  const documentOf = (layout?: ColumnLayout) =>
    receiptDocument(reportOf(receipt), display, noReceiptActions, layout);
  const page = await timeOf(() =>
    JSON.stringify(v.parse(documentSchema, documentOf(defaultLayout))),
  );
  const markdown = await timeOf(() => documentMarkdown(documentOf()));
  const text = JSON.stringify(receipt);
  const peers = {
    'JSON.parse and stringify': await timeOf(() => JSON.stringify(JSON.parse(text))),
  };
  runner.dispose();
  await Promise.all([exchange.close(), folder.remove()]);
  const figure = (what: string, value: number, timesPeer: number): Figure => ({
    name: `longest block: ${count} returned orders, ${what}`,
    unit: 'ms',
    value,
    peers,
    bar: { timesPeer },
  });
  return [
    figure('to the report', delay.max / 1e6, 10),
    figure('its page', page, 10),
    figure('its Markdown', markdown, 10),
  ];
}
