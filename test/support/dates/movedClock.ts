import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';

/** Debian's `faketime`, which moves the clock of the process that loads it. */
export const faketime = `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`;

/** The environment of a process whose clock, like that of all it starts, is so many seconds ahead. */
export function movedClock(aheadS: number): NodeJS.ProcessEnv {
  const preload = `--import ${path.join(import.meta.dirname, 'preload.mjs')}`;
  return {
    LD_PRELOAD: faketime,
    FAKETIME: `${aheadS < 0 ? '' : '+'}${aheadS}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    MARGIN_DESK_CLOCK_AHEAD_S: String(aheadS),
    MARGIN_DESK_FAKETIME: faketime,
    // Twice: npm's own variable is not passed on to VS Code's server.
    MARGIN_DESK_NODE_OPTIONS: preload,
    NODE_OPTIONS: preload,
  };
}

/** The environment for Chromium, which does not start with `faketime` loaded. */
export function withoutFaketime(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, LD_PRELOAD: undefined };
}

/** Moves the clock of a page as that of this process is moved, if it is. */
export async function moveClockOf(pages: BrowserContext | Page): Promise<void> {
  const { MARGIN_DESK_CLOCK_AHEAD_S: aheadS } = process.env;
  if (aheadS !== undefined) await pages.addInitScript(movePageClock, Number(aheadS) * 1000);
}

function movePageClock(aheadMs: number): void {
  const SystemDate = Date;
  const now = (): number => SystemDate.now() + aheadMs;
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget) as Date,
    apply: () => new SystemDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
}
