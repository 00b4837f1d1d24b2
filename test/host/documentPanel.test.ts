import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/emitter.ts';
import {
  DocumentPanel,
  type DocumentSource,
  type LiveDocument,
} from '../../src/host/webview/documentPanel.ts';
import { OpeningSnapshots } from '../../src/host/webview/snapshot.ts';
import { aDisplay } from '../support/display.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension } from '../support/extensionUnderTest.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { changesIn, openedIn } from '../support/shownDocument.ts';

describe('the host’s end of a document', () => {
  const access = activatedExtension();
  const displayChange = new Emitter<void>();
  const accountSwitch = new Emitter<void>();
  const change = new Emitter<void>();
  let document: DocumentSource['document'];
  let environment: string;
  let panel: FakePanel;
  let served: DocumentPanel;

  const saying = (note: string): LiveDocument => ({
    ...{ title: 'Title', key: '', account: null, time: null, notes: [note], buttons: [] },
    ...{ sections: [], display: aDisplay().settings },
  });

  beforeEach(() => {
    environment = 'TEST';
    document = () => saying('12.5 usdt');
    panel = new FakePanel();
    panel.title = 'Restored';
    const display = {
      current: aDisplay(),
      latest: () => aDisplay(),
      onDidChange: displayChange.event,
    };
    served = new DocumentPanel(
      panel.asPanel(),
      { kind: 'any', key: '' },
      {
        tab: () => ({ title: 'Restored', environment }),
        document: (choices) => document(choices),
        changes: [change.event],
      },
      {
        extensionUri: access.context.extensionUri,
        display: display as never,
        active: { onDidSwitch: accountSwitch.event } as never,
        openings: new OpeningSnapshots({
          display: { onDidChange: displayChange.event },
          active: { onDidSwitch: accountSwitch.event },
        }),
        log: { failure: () => undefined } as never,
        confirmRealValues: () => Promise.resolve(true),
        run: () => undefined,
      },
    );
  });
  afterEach(() => served.dispose());

  for (const [name, event] of [
    ['the display settings', displayChange],
    ['the account', accountSwitch],
  ] as const)
    it(`sends no earlier document once ${name} changed, also while the next one is computed`, async () => {
      await openedIn(panel);
      assert.deepEqual((await openedIn(panel)).before?.notes, ['12.5 usdt']);
      const computed = Promise.withResolvers<undefined>();
      document = () => computed.promise.then(() => saying('•••'));
      const opening = openedIn(panel);
      event.fire();
      computed.resolve(undefined);
      assert.equal((await opening).before, null);
      await openedIn(panel);
      event.fire();
      assert.equal((await openedIn(panel)).before, null);
    });

  it('never answers a page with an older document than it has sent', async () => {
    const slow = Promise.withResolvers<undefined>();
    let computed = 0;
    document = () => {
      const note = `document ${(computed += 1)}`;
      return slow.promise.then(() => saying(note));
    };
    const opening = openedIn(panel);
    await eventually('a computation', () => computed === 1);
    change.fire();
    slow.resolve(undefined);
    const answered = (await opening).document.notes;
    await eventually('the next document', () => computed === 2);
    await eventually('it on the page', () => changesIn(panel).at(-1)?.notes[0] === 'document 2');
    assert.deepEqual(answered, ['document 1']);
  });

  it('says why a document could not be computed, and computes the next one', async () => {
    document = () => Promise.reject(new Error('no'));
    assert.equal((await panel.ask('document/open', null)).kind, 'error');
    document = () => saying('again');
    assert.deepEqual((await openedIn(panel)).document.notes, ['again']);
  });

  it('names another environment of the same title by its icon', () => {
    assert.match(String(panel.iconPath), /test\.svg$/);
    environment = 'LIVE';
    change.fire();
    assert.match(String(panel.iconPath), /live\.svg$/);
  });
});
