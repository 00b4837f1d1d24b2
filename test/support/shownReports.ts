import type { ReportDocument } from '../../src/protocol/connectionReport.ts';
import { eventually } from './eventually.ts';
import { FakePanel } from './fakePanel.ts';
import { fakePanels } from './shownReceipts.ts';

/** Called in a `describe`: the connection reports that each test opens, in panels without a page. */
export function shownReports() {
  const panels = fakePanels();
  const latestPanel = (): Promise<FakePanel> => eventually('a report', () => panels.at(-1));
  return {
    panels,
    latestPanel,
    /** What the page asks for when it opens. */
    latest: async (): Promise<ReportDocument> =>
      (await (await latestPanel()).ask('report/open', null)).body as ReportDocument,
    /** What the host sent to the page since. */
    changed: (panel: FakePanel): readonly ReportDocument[] =>
      panel.posted
        .filter(({ name }) => name === 'report/changed')
        .map(({ body }) => body as ReportDocument),
  };
}
