import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/emitter.ts';
import { loadPage } from '../../src/host/webview/snapshot.ts';
import { FakePanel } from '../support/fakePanel.ts';

const shown = '<main>12.5 usdt</main>';

describe('a panel that is hidden', () => {
  let panel: FakePanel;
  const displayChange = new Emitter<void>();
  const accountSwitch = new Emitter<void>();
  let outdated = 0;

  beforeEach(() => {
    panel = new FakePanel();
    loadPage(panel.asPanel(), {
      display: { onDidChange: displayChange.event },
      active: { onDidSwitch: accountSwitch.event },
      time: () => 'As of 10:00.',
      outdated: () => (outdated += 1),
      html: (stamp, snapshot) => `${stamp}|${snapshot?.html ?? ''}`,
    });
  });
  afterEach(() => panel.dispose());

  const stamp = () => panel.webview.html.split('|')[0];
  const inHtml = () => panel.webview.html.split('|')[1];
  const draw = (html = shown, of = stamp()): void =>
    panel.tell({ kind: 'snapshot', stamp: of, html });
  const switchAway = () => panel.setVisible(false);

  it('has what its page showed last in its HTML', () => {
    draw('<main>older</main>');
    draw();
    assert.equal(inHtml(), '', 'the page that is shown is not loaded again');
    switchAway();
    assert.equal(inHtml(), shown);
  });

  it('keeps it while its page is loaded again and says nothing', () => {
    draw();
    switchAway();
    panel.setVisible(true);
    switchAway();
    assert.equal(inHtml(), shown);
  });

  it('forgets it once the display settings change, as when privacy is turned on', () => {
    draw();
    switchAway();
    displayChange.fire();
    assert.equal(inHtml(), '');
  });

  it('forgets it once another account is open, or none', () => {
    draw();
    switchAway();
    accountSwitch.fire();
    assert.equal(inHtml(), '');
    draw();
    panel.setVisible(true);
    accountSwitch.fire();
    switchAway();
    assert.equal(inHtml(), '');
  });

  it('says that what was computed for its page is outdated, for both', () => {
    const before = outdated;
    displayChange.fire();
    accountSwitch.fire();
    assert.equal(outdated, before + 2);
  });

  it('accepts nothing of a page that was loaded for other display settings', () => {
    const before = stamp();
    displayChange.fire();
    draw(shown, before);
    switchAway();
    draw(shown, before);
    panel.setVisible(true);
    switchAway();
    assert.equal(inHtml(), '');
  });

  it('leaves none in the HTML of a visible page either, which another window would load', () => {
    draw();
    switchAway();
    panel.setVisible(true);
    assert.equal(inHtml(), shown);
    displayChange.fire();
    assert.equal(inHtml(), '');
  });

  it('has nothing of more than a million characters, nor what was shown before, and takes no other message', () => {
    draw();
    draw('x'.repeat(1_000_001));
    panel.tell({ kind: 'snapshot', stamp: stamp(), html: 1 });
    panel.tell({ kind: 'event', stamp: stamp(), html: shown });
    switchAway();
    assert.equal(inHtml(), '');
  });
});
