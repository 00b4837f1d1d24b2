import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/exactJson.ts';
import { answers } from '../../src/exchange/records.ts';
import { decode } from '../../test/support/decode.ts';
import type { TestAccess } from '../../src/extension.ts';
import { anAccount, aPosition, someLocked, wire } from '../../test/support/builders.ts';
import { extensionUnderTest, openAt } from '../../test/support/extensionUnderTest.ts';
import { hostileServer } from '../../test/support/hostileServer.ts';

const count = 200;
const rounds = 300;
const warmUp = 50;
/** They take about as long as a refresh, so that a busy machine slows both as much. */
const parses = 50;

/** Runs inside the extension host: prints the milliseconds of each refresh that changes nothing, and of `JSON.parse`. */
export async function run(): Promise<void> {
  const access = await extensionUnderTest();
  const account = manyPositions();
  const server = await hostileServer((_request, response) => response.end(wire(account)));
  try {
    await openAt(access, server.url);
    await vscode.commands.executeCommand('marginDesk.positions.focus');
    console.log(`bench ${JSON.stringify(await measured(access))}`);
  } finally {
    await server.close();
  }
}

/** Each round parses the same text again, like a new answer: only the snapshot's time differs. */
async function measured({ app }: TestAccess): Promise<Record<'refresh' | 'parse', number[]>> {
  const { store } = await app.active.session();
  const times = { refresh: [] as number[], parse: [] as number[] };
  const text = wire(manyPositions());
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const startedAt = performance.now();
    const { value: account, badRecords } = decode(answers.accounts, parseJson(text));
    store.replace({
      account,
      badRecords,
      asOf: Date.now(),
      readAt: Date.now(),
      sentAt: Date.now(),
      answeredAt: Date.now(),
    });
    const refreshedAt = performance.now();
    for (let turn = 0; turn < parses; turn += 1) JSON.parse(text);
    const parsedAt = performance.now();
    if (round >= warmUp) {
      times.refresh.push(refreshedAt - startedAt);
      times.parse.push(parsedAt - refreshedAt);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return times;
}

function manyPositions() {
  const symbols = Array.from({ length: count }, (_, index) => `coin${index}_usdt`);
  return anAccount({
    positions: symbols.map((symbol, index) =>
      aPosition({
        symbol,
        amount: `${index + 1}123456789012345.678901234567891`,
        markPrice: '50050.12345678',
        liquidationPrice: String(40_000 + 17 * index),
      }),
    ),
    orders: symbols.map((symbol) => someLocked({ symbol })),
  });
}
