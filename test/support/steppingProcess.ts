import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { spawnOwned } from './childProcess.ts';

/** A script as a process of its own, which prints a line for each of its steps until it ends or is killed. */
export class SteppingProcess {
  isOver = false;
  lastLine = '';
  private steps = 0;
  private nextStep = Promise.withResolvers<undefined>();
  private readonly child: ChildProcess;
  private readonly closed: Promise<[number | null]>;

  constructor(script: string, args: readonly string[]) {
    this.child = spawnOwned(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { stdout } = this.child;
    assert.ok(stdout);
    createInterface(stdout).on('line', (line) => {
      this.steps += 1;
      this.lastLine = line;
      this.nextStep.resolve(undefined);
      this.nextStep = Promise.withResolvers();
    });
    this.closed = once(this.child, 'close') as Promise<[number | null]>;
    void this.closed.then(() => {
      this.isOver = true;
      this.nextStep.resolve(undefined);
    });
  }

  /** Resolves when it printed so many lines more, or has ended. */
  async printed(lines: number): Promise<this> {
    const until = this.steps + lines;
    while (!this.isOver && this.steps < until) await this.nextStep.promise;
    return this;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
  }

  async exitCode(): Promise<number | null> {
    return (await this.closed)[0];
  }
}
