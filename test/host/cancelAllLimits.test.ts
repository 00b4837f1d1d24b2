import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { rateLimitFileName } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, someLocked, wire } from '../support/builders.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
import { minuteLimit } from '../support/hostileExchange/options.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { shownReceipts } from '../support/shownReceipts.ts';

const cancelButton = 'Cancel All Orders';

describe('cancel-all at its limits', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const access = activatedExtension();
  shownReceipts();

  /** An exchange with a limit of 100 per minute. */
  const serveAccount = (): Promise<HostileServer> =>
    serve(({ method, url = '' }, response) => {
      if (url.includes('/accounts')) response.end(wire(anAccount({ orders: [someLocked()] })));
      else if (method === 'GET' && url.includes('/system/'))
        response.end(`{"rateLimits":${minuteLimit(100)},"symbols":[]}`);
      else response.end('[]');
    });

  const deletes = ({ requests }: HostileServer) =>
    requests.filter(({ method }) => method === 'DELETE').length;

  async function press(): Promise<void> {
    messages.answers.push(cancelButton);
    await vscode.commands.executeCommand(commands.cancelAllOrders);
  }

  it('is sent once while the rate-limit file cannot be written', async () => {
    const server = await serveAccount();
    const { fsPath } = access.context.globalStorageUri;
    const file = path.join(fsPath, 'rateLimits', rateLimitFileName(server.url, {}));
    await mkdir(file, { recursive: true });
    try {
      await openAt(access, server.url);
      const { client, rateLimiter } = await access.app.active.session();
      await assert.rejects(client.list('feeTiers'), { name: 'ExchangeError' });
      assert.ok(rateLimiter.usage.isUnshared);
      await press();
      assert.equal(deletes(server), 1);
      assert.ok(rateLimiter.usage.isUnshared);
    } finally {
      await rm(file, { recursive: true });
    }
  });

  it('is sent at each of three presses while interactive reads use up the share', async () => {
    const server = await serveAccount();
    await openAt(access, server.url);
    const { client } = await access.app.active.session();
    await useShare(client);
    for (let presses = 1; presses <= 3; presses += 1) {
      await Promise.all([press(), useShare(client)]);
      assert.equal(deletes(server), presses);
    }
  });

  /** Reads as often as the share allows, until it allows no more. */
  async function useShare(client: ExchangeClient): Promise<void> {
    // This suite is a separate bundle, with its own class ExchangeError.
    const isLimit = (error: unknown): boolean =>
      (error as { failure?: { kind?: string } }).failure?.kind === 'rateLimited';
    const read = (): Promise<boolean> =>
      client.list('feeTiers').then(
        () => true,
        (error: unknown) => {
          assert.ok(isLimit(error), String(error));
          return false;
        },
      );
    while (await read());
  }
});
