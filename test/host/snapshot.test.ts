import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/emitter.ts';
import { loadPage, OpeningSnapshots } from '../../src/host/webview/snapshot.ts';
import { eventually } from '../support/eventually.ts';
import { FakePanel } from '../support/fakePanel.ts';

const shown = '<main>12.5 usdt</main>';

const displayChange = new Emitter<void>();
const accountSwitch = new Emitter<void>();
const outdating = {
  display: { onDidChange: displayChange.event },
  active: { onDidSwitch: accountSwitch.event },
};

const outdatingEvents = [
  ['the display settings changed, as when privacy is turned on', displayChange],
  ['another account is open, or none', accountSwitch],
] as const;

/** A panel whose page says its stamp, what its HTML has of a snapshot, and whether that may be old. */
class Shown {
  readonly panel = new FakePanel();
  outdated = 0;
  isAsOpened = true;

  constructor(openings: OpeningSnapshots) {
    loadPage(this.panel.asPanel(), {
      ...outdating,
      openings,
      opening: () => (this.isAsOpened ? 'document overview' : undefined),
      loading: () => undefined,
      outdated: () => (this.outdated += 1),
      html: (stamp, snapshot) => `${stamp}|${snapshot?.html ?? ''}|${snapshot?.isEarlier}`,
    });
  }

  loaded(): Promise<boolean> {
    return eventually('a page', () => this.panel.webview.html !== '');
  }

  get stamp(): string | undefined {
    return this.panel.webview.html.split('|')[0];
  }

  get inHtml(): string | undefined {
    return this.panel.webview.html.split('|')[1];
  }

  get isEarlier(): string | undefined {
    return this.panel.webview.html.split('|')[2];
  }

  draw(html = shown, stamp = this.stamp, isTouched = false): void {
    this.panel.tell({ kind: 'snapshot', stamp, html, isTouched });
  }
}

describe('a panel that is hidden', () => {
  let openings: OpeningSnapshots;
  let page: Shown;
  let panel: FakePanel;

  beforeEach(async () => {
    openings = new OpeningSnapshots(outdating);
    page = new Shown(openings);
    ({ panel } = page);
    await page.loaded();
  });
  afterEach(() => {
    panel.dispose();
    openings.dispose();
  });

  const stamp = () => page.stamp;
  const inHtml = () => page.inHtml;
  const draw = (html?: string, of?: string): void => page.draw(html, of);
  const switchAway = () => panel.setVisible(false);

  it('has what its page showed last in its HTML, also while that is loaded again and says nothing', () => {
    draw('<main>older</main>');
    draw();
    assert.equal(inHtml(), '', 'the page that is shown is not loaded again');
    switchAway();
    assert.equal(inHtml(), shown);
    panel.setVisible(true);
    switchAway();
    assert.equal(inHtml(), shown);
  });

  for (const [name, event] of outdatingEvents)
    it(`forgets it once ${name}, hidden or visible, and accepts nothing of a page that was loaded before`, () => {
      draw();
      switchAway();
      event.fire();
      assert.equal(inHtml(), '');
      draw();
      panel.setVisible(true);
      draw();
      event.fire();
      switchAway();
      assert.equal(inHtml(), '');
      panel.setVisible(true);
      draw();
      switchAway();
      panel.setVisible(true);
      const [before, { outdated }] = [stamp(), page];
      assert.equal(inHtml(), shown, 'another window would load it');
      event.fire();
      assert.deepEqual([inHtml(), page.outdated], ['', outdated + 1]);
      draw(shown, before);
      switchAway();
      assert.equal(inHtml(), '');
    });

  it('has nothing of more than a million characters, nor what was shown before, and takes no other message', () => {
    draw();
    draw('x'.repeat(1_000_001));
    panel.tell({ kind: 'snapshot', stamp: stamp(), html: 1, isTouched: false });
    panel.tell({ kind: 'event', stamp: stamp(), html: shown, isTouched: false });
    switchAway();
    assert.equal(inHtml(), '');
  });
});

describe('a panel that opens again', () => {
  let openings: OpeningSnapshots;
  let panels: Shown[];

  beforeEach(() => {
    openings = new OpeningSnapshots(outdating);
    panels = [];
  });
  afterEach(() => {
    for (const { panel } of panels) panel.dispose();
    openings.dispose();
  });

  async function open(isAsOpened = true): Promise<Shown> {
    const page = new Shown(openings);
    page.isAsOpened = isAsOpened;
    panels.push(page);
    await page.loaded();
    return page;
  }

  it('begins with what the one before showed, which may be old', async () => {
    const first = await open();
    assert.equal(first.inHtml, '');
    first.draw();
    first.panel.dispose();
    const again = await open();
    assert.deepEqual([again.inHtml, again.isEarlier], [shown, 'true']);
    again.draw();
    again.panel.setVisible(false);
    assert.deepEqual([again.inHtml, again.isEarlier], [shown, 'false'], 'that is its own');
  });

  for (const [name, event] of outdatingEvents)
    it(`begins with nothing once ${name}, open or closed`, async () => {
      const first = await open();
      first.draw();
      event.fire();
      assert.equal((await open()).inHtml, '');
      const other = await open();
      other.draw();
      other.panel.dispose();
      event.fire();
      assert.equal((await open()).inHtml, '');
    });

  it('never begins with what a person chose in it', async () => {
    const first = await open();
    first.draw();
    first.draw('<main>filtered</main>', first.stamp, true);
    first.draw('<main>filtered</main>');
    assert.equal((await open()).inHtml, shown);
    const hidden = await open();
    hidden.panel.setVisible(false);
    hidden.panel.setVisible(true);
    hidden.draw('<main>restored</main>');
    assert.equal((await open()).inHtml, shown);
  });

  it('neither leaves nor takes anything where a command chose what it shows', async () => {
    const filtered = await open(false);
    filtered.draw('<main>filtered</main>');
    assert.equal((await open()).inHtml, '');
    (await open()).draw();
    assert.equal((await open(false)).inHtml, '');
  });

  it('forgets the pages that were shown longest ago', () => {
    const snapshot = { html: shown, at: 0, isEarlier: false };
    for (let page = 0; page < 9; page += 1) openings.keep(`document ${page}`, snapshot);
    openings.keep('document 1', snapshot);
    openings.keep('document 9', snapshot);
    const left = (page: number) => openings.get(`document ${page}`) !== undefined;
    assert.deepEqual([0, 1, 2, 3, 9].map(left), [false, true, false, true, true]);
  });
});
