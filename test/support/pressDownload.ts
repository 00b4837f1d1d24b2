import type { LedgerFeature } from '../../src/host/ledger/ledgerFeature.ts';
import { ledgerHistoryNames, type LedgerHistory } from '../../src/ledger/ledger.ts';
import type { Document, OpenedDocument } from '../../src/protocol/document.ts';
import { FakePanel } from './fakePanel.ts';
import { blockOf, pressIn } from './shownDocument.ts';

/** Opens the download page anew; undefined leaves the period as it is. */
export async function downloadPage(
  { download }: LedgerFeature,
  period?: 'days90' | 'year',
): Promise<{ readonly panel: FakePanel; readonly document: Document }> {
  download.open.get('')?.panel.dispose();
  const panel = new FakePanel();
  download.open.restore(panel.asPanel(), '');
  const { body } = await panel.ask('document/open', period ? { period } : null);
  return { panel, document: (body as OpenedDocument).document };
}

/** As if the user chose this and pressed the button, or another one. Does not wait for the end. */
export async function pressDownload(
  ledger: LedgerFeature,
  period: 'days90' | 'year' = 'days90',
  histories: readonly LedgerHistory[] = ['trades'],
): Promise<void> {
  const { panel, document } = await downloadPage(ledger, period);
  for (const [index, { isChosen }] of chosenIn(document).entries()) {
    const history = ledgerHistoryNames[index];
    if (history && isChosen !== histories.includes(history))
      await pressIn(panel, `history ${history}`);
  }
  await pressIn(panel, 'download');
  panel.dispose();
}

/** As if the user pressed a button of the page as it is. */
export async function pressOnDownloadPage(
  ledger: LedgerFeature,
  action: 'download' | 'resume',
): Promise<Document> {
  const { panel, document } = await downloadPage(ledger);
  await pressIn(panel, action);
  panel.dispose();
  return document;
}

/** Each history of the page. */
export function chosenIn(document: Document) {
  return blockOf(document, 'table').rows.map(([first, rows, requests]) => ({
    label: first?.button?.label,
    isChosen: first?.button?.isChosen,
    rows: rows?.text,
    requests: requests?.text,
  }));
}
