import { downloadDocument, type DownloadOffer } from '../../../../src/host/ledger/downloadPage.ts';
import type { LedgerHistory } from '../../../../src/ledger/ledger.ts';
import { defaultHistories } from '../../../../src/ledger/sync/downloadPlan.ts';
import { assertApproved } from '../../../support/approved.ts';
import { aProfile } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';

const profile = aProfile({ name: 'Main' });
const rowsOf: Readonly<Record<LedgerHistory, number>> = {
  ...{ orders: 3694, trades: 7839, lots: 1_204_454 },
  ...{ futureTransactions: 13_234, spotTransactions: 0 },
};

/** Of these histories, which have rows to read. */
function costOf(histories: ReadonlySet<LedgerHistory>, isCounted: boolean) {
  const rows = [...histories].map((history) => rowsOf[history]);
  const pages = rows.reduce((sum, count) => sum + (isCounted ? Math.ceil(count / 500) + 3 : 1), 0);
  const sum = isCounted ? rows.reduce((all, count) => all + count, 0) : 0;
  return { isCounted, rows: sum, pages, weight: pages * 10, durationMs: pages * 4000 };
}

/** Ninety days of an account without a ledger, whose rows are not counted. */
function documentOf(fields: Partial<DownloadOffer> & { isCounted?: boolean } = {}, of = profile) {
  const { isCounted = false, ...offer } = fields;
  const nothing = (): void => undefined;
  const first: DownloadOffer = {
    ...{ hasLedger: false, isPaused: false, isBegun: false, period: 'days90' },
    chosen: new Set(defaultHistories),
    costOf: (histories) => costOf(histories, isCounted),
    ...{ toggle: nothing, download: nothing, resume: nothing },
  };
  return downloadDocument(of, { ...first, ...offer }, aDisplay());
}

describe('the page that downloads the history', () => {
  it('says what an account without a ledger agrees to, and the least that it takes', () => {
    assertApproved('download/uncounted', documentOf());
  });

  it('says how many rows each history has, and what they take', () => {
    assertApproved('download/counted', documentOf({ isCounted: true, period: 'everything' }));
  });

  it('asks for no consent on the practice exchange', () => {
    const practice = aProfile({ name: 'Practice', environment: 'practice' });
    assertApproved('download/practice', documentOf({ isCounted: true }, practice));
  });

  it('offers the gaps that another page names in place of a period', () => {
    const fields = { isCounted: true, hasLedger: true, period: undefined };
    assertApproved('download/gaps', documentOf(fields));
  });

  it('resumes a download that is not finished', () => {
    assertApproved('download/paused', documentOf({ hasLedger: true, isPaused: true }));
  });

  it('starts nothing if no history is chosen', () => {
    assertApproved('download/nothingChosen', documentOf({ chosen: new Set() }));
  });

  it('leads to the analysis if the ledger has all of it, or is reading it', () => {
    const none = { isCounted: true, rows: 0, pages: 0, weight: 0, durationMs: 0 };
    const fields = { hasLedger: true, costOf: () => none };
    assertApproved('download/complete', documentOf(fields));
    assertApproved('download/begun', documentOf({ ...fields, isBegun: true }));
  });
});
