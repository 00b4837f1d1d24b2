import type { Document, OpenedDocument } from '../../src/protocol/document.ts';
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
    latest: async (): Promise<Document> => {
      const { body } = await (await latestPanel()).ask('document/open', null);
      return (body as OpenedDocument).document;
    },
    press: (panel: FakePanel, action: string) => panel.ask('document/press', { action, at: [] }),
    /** What the host sent to the page since. */
    changed: (panel: FakePanel): readonly Document[] =>
      panel.posted
        .filter(({ name }) => name === 'document/changed')
        .map(({ body }) => body as Document),
  };
}
