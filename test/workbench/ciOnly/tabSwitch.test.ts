import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { hostileExchange, type HostileExchange } from '../../support/hostileExchange.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { runAndPick, runCommand } from '../../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { webview, webviewFrame } from '../../support/workbench/webview.ts';

const hostile = `<img src=x onerror="alert(1)"></style><script>alert(1)</script>&lt;b&gt;'`;

/** One window: each test goes on where the one before it ended. */
describe('a panel that comes back in a real workbench', () => {
  let exchanges: HostileExchange[];
  let workbench: Workbench;
  const problems: string[] = [];

  before(async () => {
    const newestAt = Date.now() - 60_000;
    const fields = (row: number) => ({
      amount: `1.${String(row + 1).padStart(3, '0')}`,
      ...(row === 2 ? { symbol: JSON.stringify(hostile) } : {}),
    });
    const options = { rows: { trades: rowsOf('trades', 100, { newestAt, fields }) } };
    exchanges = await Promise.all([
      hostileExchange({ reading: { sort: 'newestFirst' }, ...options }),
      hostileExchange(),
    ]);
    const dialect = { dates: 'epochMs', firstPage: 0, sort: 'newestFirst', lists: 'repeat' };
    const own = { environment: 'test', auth: { scheme: 'none' }, dialect };
    const [first, second] = exchanges.map(({ url }) => ({ ...own, baseUrl: url }));
    workbench = await openWorkbench({
      settings: {
        'marginDesk.timeZone': 'UTC',
        'marginDesk.defaultProfile': 'First',
        'marginDesk.profiles': { First: first, Second: second },
      },
    });
    page().on('console', (message) => problems.push(message.text()));
    page().on('dialog', (dialog) => problems.push(dialog.message()));
    await page().addInitScript(holdScripts);
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await panel().getByRole('gridcell', { name: '1.001', exact: true }).waitFor();
    await runCommand(page(), 'Margin Desk: Open Fee Tiers');
    await feeTiers().waitFor();
  });
  after(async () => {
    await workbench.close();
    await Promise.all(exchanges.map((exchange) => exchange.close()));
  });

  const page = () => workbench.page;
  const panel = () => webview(page());
  const feeTiers = () => panel().getByRole('heading', { name: 'Fee Tiers', exact: true });
  const kept = () => panel().locator('#kept');
  const tab = (name: string) => page().getByRole('tab', { name, exact: true });
  const hold = (holds: boolean) => page().evaluate(`holdsScripts = ${holds}`);

  /** Shows the table again, and waits until VS Code has loaded its HTML. A script that waits for that to be shown does not run. */
  async function comeBack(): Promise<Frame> {
    await hold(true);
    await page().evaluate('sentSnapshot = ""');
    await tab('Trade History').click();
    await panel().locator('#app[data-table="trades"]').waitFor({ state: 'attached' });
    return webviewFrame(page());
  }

  /** Shows the table as its page draws it, until the page has sent the host a snapshot of it at this place. */
  async function leave(text: string, top = 0): Promise<void> {
    await hold(false);
    await panel().locator('#app').getByText(text).first().waitFor();
    await kept().waitFor({ state: 'detached' });
    // Where the page was scrolled to before may come back a moment after its rows.
    await (
      await webviewFrame(page())
    ).evaluate(`document.querySelector('margin-grid').scrollTop = ${top}`);
    await eventually('a snapshot of what is shown', async () => {
      const sent = String(await page().evaluate('globalThis.sentSnapshot'));
      return sent.includes(text) && Number(/top:(\d+)px;left:/.exec(sent)?.[1] ?? 0) === top;
    });
    await tab('Fee Tiers').click();
    await feeTiers().waitFor();
  }

  async function scrolled(frame: Frame, element: string): Promise<unknown> {
    return frame.evaluate(`document.querySelector('${element}').scrollTop`);
  }

  it('shows its rows before a script runs, at the place where they were', async () => {
    await tab('Trade History').click();
    await panel().locator('#app').getByText('1.001').waitFor();
    await leave('1.001', 333);
    const back = await comeBack();
    await kept().getByText('1.016', { exact: true }).waitFor();
    assert.equal(await back.evaluate('document.getElementById("app").childElementCount'), 0);
    assert.equal(await scrolled(back, 'kept-margin-grid'), 333);
    assert.equal(await kept().getAttribute('aria-hidden'), 'true');
    await hold(false);
    await panel().getByRole('gridcell', { name: '1.016', exact: true }).waitFor();
    assert.equal(await kept().count(), 0);
    assert.equal(await scrolled(back, 'margin-grid'), 333);
    await leave('1.016');
  });

  it('shows what an exchange says as text', async () => {
    const frame = await comeBack();
    await kept().getByText(hostile, { exact: true }).waitFor();
    assert.equal(
      await frame.evaluate(`document.querySelectorAll('#kept :is(img, script)').length`),
      0,
    );
    await leave('1.001');
    assert.deepEqual(
      problems.filter((problem) => /alert|Content Security Policy/.test(problem)),
      [],
    );
  });

  it('shows no figure that privacy hides since it was hidden', async () => {
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    const frame = await comeBack();
    assert.equal(await kept().count(), 0);
    assert.ok(!String(await frame.evaluate('document.body.innerText')).includes('1.001'));
    await leave('•••');
    await comeBack();
    await kept().getByText('•••').first().waitFor();
    await leave('•••');
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await tab('Trade History').click();
    await leave('1.001');
  });

  it('shows nothing of an account that is no longer open', async () => {
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Second');
    await panel().getByText('Second').first().waitFor();
    const frame = await comeBack();
    assert.equal(await kept().count(), 0);
    assert.ok(!String(await frame.evaluate('document.body.innerText')).includes('1.001'));
    await hold(false);
    await eventually('the other account', async () =>
      (await panel().locator('#app').innerText()).includes('Second'),
    );
  });
});

/**
 * A page starts with the frame after its HTML was shown: while `holdsScripts` is true, there is none.
 * `sentSnapshot` is the last one that a page sent to VS Code.
 */
const holdScripts = `const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (sent, ...more) {
  const { message } = sent?.data ?? {};
  if (message?.kind === 'snapshot') top.sentSnapshot = message.html;
  return postMessage.call(this, sent, ...more);
};
if (frameElement) {
  const { requestAnimationFrame: request } = globalThis;
  globalThis.requestAnimationFrame = (run) => {
    const wait = () => (top.holdsScripts ? setTimeout(wait, 20) : request(run));
    wait();
  };
}`;
