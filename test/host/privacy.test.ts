import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import * as vscode from 'vscode';
import { mask } from '../../src/base/display.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import type { CopyRequest } from '../../src/protocol/gridMessages.ts';
import { type TableName, type TablePage, type TableEvents } from '../../src/protocol/table.ts';
import { anAccount, anOrder, aPosition, someLocked, wire } from '../support/builders.ts';
import { blockOf, documentIn } from '../support/shownDocument.ts';
import { eventually } from '../support/eventually.ts';
import {
  drawn,
  drawnNode,
  activatedExtension,
  hoverText,
  openAt,
} from '../support/extensionUnderTest.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { escape, scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { receiptTexts } from '../support/receiptTexts.ts';
import { tablePanelsUnderTest } from '../support/tablePanelsUnderTest.ts';
import { writeUserSetting } from '../support/userSetting.ts';

/** Every hidden field begins with these digits, whatever its size and sign; nothing else has them. */
const digits = '98765432';
const secret = (end: string, sign = '') => `${sign}${digits}1.${end}`;

const account = anAccount({
  equity: secret('101'),
  upl: secret('102', '-'),
  assets: [
    {
      name: 'usdt',
      isMargin: true,
      extra: {},
      margin: secret('103'),
      deposited: secret('104'),
      locked: secret('105'),
    },
  ],
  positions: [
    aPosition({
      upl: secret('106'),
      amount: secret('107', '-'),
      lockedBalance: `0.${digits}`,
      // A power of ten: the notional has the amount's digits.
      markPrice: '1000',
      liquidationPrice: '1180.8',
    }),
  ],
  orders: [
    someLocked({
      lockedAsk: secret('108'),
      lockedBid: secret('109'),
      sumSizeAsk: `${digits}e30`,
      sumSizeBid: secret('110'),
    }),
  ],
});
const canceled = { amount: secret('111'), filled: secret('112'), status: 'CANCELED' };
const { time, ...order } = anOrder(canceled);

/** What the exchange answers for each path; `amount` and its like are hidden wherever they stand. */
const answers: readonly (readonly [path: string, body: string])[] = [
  ['/api/v1/accounts', wire(account)],
  ['/api/v1/orders/history', pageWire(wire({ ...order, time }))],
  [
    '/api/v1/system/exchangeInfo',
    `{"rateLimits":[],"timezone":"UTC","serverTime":${time},"symbols":[{"symbol":"btc_usdt",` +
      `"marginAsset":"usdt","baseAsset":"BTC","pair":"BTC/USDT","quoteAsset":"usdt","status":"TRADING"}]}`,
  ],
];

function pageWire(record: string): string {
  return `{"content":[${record}],"size":20,"totalPages":1,"totalElements":1}`;
}

const answer: RequestListener = (request, response) => {
  const found = answers.find(([path]) => request.url?.startsWith(path));
  response.writeHead(found ? 200 : 404).end(found?.[1] ?? '');
};

const cancelOrder: RequestListener = (_request, response) => {
  response.end(wire([{ ...order, updatedAt: time }]));
};

const loseConnection: RequestListener = (request) => void request.socket.destroy();

async function run(id: string): Promise<void> {
  await vscode.commands.executeCommand(id);
}

/** The texts in which a hidden figure can be read, grouped as it may be. */
function leaks(texts: readonly string[]): string[] {
  return texts.filter((text) => text.replace(/\D/g, '').includes(digits));
}

describe('privacy', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  const access = activatedExtension();
  const tables = tablePanelsUnderTest(access);
  const { created, copied } = tables;

  beforeEach(async () => {
    await setPrivacy(false);
  });
  afterEach(async () => {
    await setPrivacy(false);
    await access.context.globalState.update('marginDesk.hidesMoney', undefined);
    await run('workbench.action.closeAllEditors');
  });

  /** Opens an account whose DELETE is answered by `answerDelete`. */
  async function openServed(answerDelete: RequestListener = answer): Promise<HostileServer> {
    const server = await serve((request, response) =>
      (request.method === 'DELETE' ? answerDelete : answer)(request, response),
    );
    await openAt(access, server.url);
    return server;
  }

  async function setPrivacy(hides: boolean): Promise<void> {
    if (access.app.display.current.settings.hidesMoney !== hides) await run(commands.togglePrivacy);
  }

  /** As another window would; a write of this one that is under way may take its place. */
  async function keepHidden(): Promise<void> {
    const { globalState } = access.context;
    do await globalState.update('marginDesk.hidesMoney', true);
    while (globalState.get('marginDesk.hidesMoney') !== true);
  }

  /** Of a cancel-all that returned nothing and left what it found. */
  async function keepOneReceipt(): Promise<void> {
    await openServed((_request, response) => response.end('[]'));
    await access.app.receipts.deleteAll();
    messages.answers.push('Cancel All Orders');
    await run(commands.cancelAllOrders);
  }

  /** Everything that the three views say, to the eye and aloud. */
  function treeTexts(): string[] {
    const { positions, assets, lockedOrders } = access.app;
    return [positions, assets, lockedOrders].flatMap((tree) => [
      ...tree.getChildren().flatMap((node) =>
        [node, ...tree.getChildren(node)].map((child) => {
          const item = drawnNode(tree, child);
          const spoken = item.accessibilityInformation?.label;
          return [item.id, item.label, item.description, hoverText(item.tooltip), spoken]
            .map(String)
            .join('\n');
        }),
      ),
      `${tree.view.message}\n${tree.view.description}\n${tree.view.badge?.tooltip}`,
    ]);
  }

  function statusTexts(): string[] {
    const { text, tooltip, accessibilityInformation } = access.app.statusItem.item;
    return [text, hoverText(tooltip), accessibilityInformation?.label ?? ''];
  }

  async function readPage(name: TableName): Promise<{ panel: FakePanel; page: TablePage }> {
    tables.panels.show(name);
    const panel = created.at(-1) ?? assert.fail('no panel');
    const { page } = await panel.firstRows();
    assert.equal(page.rows.length, 1, name);
    return { panel, page };
  }

  const posted = () => created.flatMap((panel) => panel.posted.map((one) => JSON.stringify(one)));

  it('hides every figure in the trees and the status bar, and shows them again', async () => {
    await openServed();
    const { assets } = access.app;
    const [asset] = assets.getChildren();
    await assets.resolveTreeItem(new vscode.TreeItem(''), asset ?? assert.fail('no asset'));
    const hiddenInTrees = 1 + 1 + 1 + 1 + (4 + 4 + 2);
    assert.equal(leaks(treeTexts()).length, hiddenInTrees);
    assert.equal(leaks(statusTexts()).length, 3);
    await run(commands.togglePrivacy);
    assert.deepEqual(leaks([...treeTexts(), ...statusTexts()]), []);
    const [row] = drawn(access.app.positions);
    assert.equal(row?.description, `Short ${mask} (+0.5 %) · liq 18.0 % · size ${mask}`);
    assert.match(
      row.accessibilityInformation?.label ?? '',
      /not near liquidation, Short, Unrealised P&L hidden, ROE 0\.5 %, .* Amount hidden, Leverage 5×/,
    );
    assert.match(hoverText(row.tooltip), /^Mark price: 1,000$/m);
    assert.equal(access.app.statusItem.item.text, `TEST ${mask} ${mask}`);
    assert.match(statusTexts().join('\n'), /^Privacy: on: amounts are hidden$/m);
    await run(commands.togglePrivacy);
    assert.equal(leaks(treeTexts()).length, hiddenInTrees);
  });

  it('removes hidden figures from a page that shows them, without another request', async () => {
    const server = await openServed();
    const { panel, page } = await readPage('orders');
    assert.ok(leaks(posted()).length > 0);
    panel.posted.length = 0;
    const requests = server.requests.length;
    await setPrivacy(true);
    assert.deepEqual(leaks(posted()), []);
    await setPrivacy(false);
    const events = panel.posted.filter(({ name }) => name === 'table/display');
    const [hidden, shown] = events.map(({ body }) => body as TableEvents['table/display']);
    assert.deepEqual([hidden?.display.hidesMoney, shown?.display.hidesMoney], [true, false]);
    assert.equal(hidden?.page?.id, page.id);
    assert.deepEqual(shown?.page, page);
    assert.equal(server.requests.length, requests);
  });

  it('hides figures in the question and the receipt of a cancel-all, also in an open receipt', async () => {
    await openServed(cancelOrder);
    const cancel = async () => {
      messages.shown.length = 0;
      messages.answers.push('Cancel All Orders', 'Show Receipt');
      await run(commands.cancelAllOrders);
      await eventually('the report', () => messages.shown[1]);
      return messages.shown.map(({ text, detail }) => `${text}\n${detail}`);
    };
    const [asked = '', report = ''] = await cancel();
    assert.deepEqual([leaks([asked]).length, leaks([report]).length], [1, 1]);
    const open = created.at(-1) ?? assert.fail('no receipt');
    assert.ok(leaks(receiptTexts(await documentIn(open))).length > 0);
    open.posted.length = 0;
    await setPrivacy(true);
    const changed = () => open.posted.filter(({ name }) => name === 'document/changed');
    await eventually('the masked receipt', () => changed().length === 1);
    assert.deepEqual(leaks(posted()), []);
    open.dispose();
    assert.deepEqual(leaks(await cancel()), []);
    const masked = await documentIn(created.at(-1) ?? assert.fail('no receipt'));
    const [kept] = (await access.app.receipts.all()).receipts;
    assert.equal(leaks([JSON.stringify(kept)]).length, 1, 'the receipt itself keeps every figure');
    const { rows: orders } = blockOf(masked, 'grid');
    const cell = (name: string) =>
      orders.rows[0]?.[orders.columns.findIndex(({ field }) => field === name)];
    assert.deepEqual([cell('amount'), cell('price')], [mask, '50000']);
    assert.deepEqual(leaks(receiptTexts(masked)), []);
  });

  it('hides it in an open list when privacy is switched on, and shows it again', async () => {
    await keepOneReceipt();
    const listed = () => input.asked.flatMap(({ items }) => items.map(({ detail = '' }) => detail));
    const seen: number[] = [];
    input.answers.push(async () => {
      for (const hides of [false, true, false]) {
        await setPrivacy(hides);
        seen.push(leaks(listed()).length);
      }
      return escape;
    });
    await run(commands.showReceipts);
    assert.deepEqual(seen, [1, 0, 1]);
    assert.equal(input.asked.length, 1);
  });

  it('is switched on by another window before a question and a report', async () => {
    await openServed(loseConnection);
    const leakCounts = () => messages.shown.map(({ text, detail }) => leaks([text, detail]).length);
    messages.answers.push(async () => {
      await keepHidden();
      return 'Cancel All Orders';
    });
    await run(commands.cancelAllOrders);
    assert.deepEqual(leakCounts(), [1, 0]);
    messages.shown.length = 0;
    await setPrivacy(false);
    await keepHidden();
    await run(commands.cancelAllOrders);
    assert.deepEqual(leakCounts(), [0]);
  });

  it('shows no digit of a figure that could not be read', async () => {
    const server = await serve((request, response) => {
      const broken = JSON.stringify(`${secret('101')}x`);
      if (request.url?.startsWith('/api/v1/accounts'))
        response.end(wire({ ...account, equity: broken }));
      else answer(request, response);
    });
    await openAt(access, server.url);
    await setPrivacy(true);
    await run(commands.refresh);
    for (const shown of [treeTexts(), statusTexts()])
      assert.match(shown.join('\n'), /equity should be a number and is text with digits/);
    const said = messages.shown.map(({ text }) => text);
    assert.deepEqual(leaks([...treeTexts(), ...statusTexts(), ...said]), []);
  });

  it('masks figures in the exchange’s own words everywhere', async () => {
    const words = `Available margin ${secret('1')} usdt, or ${digits} in 2 parts`;
    let refuses = false;
    const server = await serve((request, response) => {
      if (refuses) response.writeHead(400).end(JSON.stringify({ code: -2019, msg: words }));
      else answer(request, response);
    });
    await openAt(access, server.url);
    refuses = true;
    const says = async () => {
      messages.shown.length = 0;
      await run(commands.refresh);
      messages.answers.push('Cancel All Orders', 'Show Receipt');
      await run(commands.cancelAllOrders);
      await run(commands.testConnection);
      await eventually('the messages', () => messages.shown.length >= 2);
      tables.panels.show('orders');
      const panel = created.at(-1) ?? assert.fail('no panel');
      await panel.describe();
      const { body } = await panel.ask('table/page', { filters: {}, page: 0, size: 20 });
      const said = messages.shown.map(({ text, detail }) => `${text}\n${detail}`);
      return [...treeTexts(), ...statusTexts(), JSON.stringify(body), ...said];
    };
    assert.ok(leaks(await says()).length >= 6);
    await setPrivacy(true);
    const masked = await says();
    assert.deepEqual(leaks(masked), []);
    assert.match(masked.join('\n'), /“Available margin ••• usdt, or ••• in ••• parts”/);
    assert.match(masked.join('\n'), /HTTP 400, code -2019/);
  });

  it('copies a masked cell after one question a window, and nothing when it is declined', async () => {
    await openServed();
    await setPrivacy(true);
    const { panel, page } = await readPage('orders');
    const column = page.rows[0]?.indexOf(mask) ?? -1;
    const copy = () => panel.ask('grid/copy', copyRequest(page.id, 0, column));
    await copy();
    await eventually('the question', () => messages.shown.length);
    assert.deepEqual(copied, []);
    assert.ok(messages.shown[0]?.modal);
    messages.answers.push('Copy Real Values');
    for (const times of [1, 2]) {
      await copy();
      await eventually('a copy', () => copied.length === times);
    }
    assert.deepEqual(copied, [secret('111'), secret('111')]);
    assert.equal(messages.shown.length, 2);
    assert.equal(panel.posted.filter(({ name }) => name === 'grid/copied').length, 2);
  });

  it('is stored for new windows', async () => {
    await setPrivacy(true);
    assert.equal(access.context.globalState.get('marginDesk.hidesMoney'), true);
    await setPrivacy(false);
    assert.equal(access.context.globalState.get('marginDesk.hidesMoney'), undefined);
  });
});

describe('the time zone', () => {
  const setZone = (zone: unknown) => writeUserSetting('marginDesk.timeZone', zone);
  const access = activatedExtension();

  afterEach(() => setZone(undefined));

  const zone = () => access.app.display.current.settings.timeZone;

  it('changes with the setting at once, and hovers show the other zone', async () => {
    const local = zone();
    await setZone('Pacific/Kiritimati');
    await eventually('the zone', () => zone() === 'Pacific/Kiritimati');
    assert.equal(
      access.app.display.current.time('1763632800123'),
      '2025-11-21 00:00:00.123 UTC+14',
    );
    assert.equal(access.app.display.current.settings.otherTimeZone, 'UTC');
    await setZone('UTC');
    await eventually('the zone', () => zone() === 'UTC');
    assert.equal(access.app.display.current.settings.otherTimeZone, local);
  });
});

/** Copies one cell. */
function copyRequest(pageId: number, row: number, column: number): CopyRequest {
  const rows = [{ row, columns: [column] }];
  return { selection: { pageId, columns: [column], rows, isRows: false }, format: 'tsv' };
}

describe('the digits of figures', () => {
  const access = activatedExtension();
  const digits = () => access.app.display.current.settings.digits;

  after(() => writeUserSetting('marginDesk.digits', undefined));

  it('are all in this window after the command, and those of the setting once it is changed', async () => {
    assert.equal(digits(), 'compact');
    await vscode.commands.executeCommand(commands.showAllDigits);
    assert.equal(digits(), 'all');
    await vscode.commands.executeCommand(commands.showAllDigits);
    assert.equal(digits(), 'compact');
    await writeUserSetting('marginDesk.digits', 'all');
    await eventually('the setting', () => digits() === 'all');
    await vscode.commands.executeCommand(commands.showAllDigits);
    assert.equal(digits(), 'compact');
  });
});
