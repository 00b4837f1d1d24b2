import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { operations, type OperationName } from '../../api/operations.ts';
import { addCharges, type Charge, type RateLimitState } from './rateLimitState.ts';

/**
 * Intents: requests that windows are about to send before the rate-limit file is written. Each is an
 * empty file whose name holds the charge, so that all processes see it at once and need no lock. A
 * window that writes its intent first and then reads all of them overlooks none that came before.
 */
export class IntentFolder {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  add(charge: Charge): void {
    mkdirSync(this.folder, { recursive: true });
    closeSync(openSync(this.fileOf(charge), 'w', 0o600));
  }

  remove(charge: Charge): void {
    rmSync(this.fileOf(charge), { force: true });
  }

  all(): readonly Charge[] {
    return listFolder(this.folder).flatMap((name) => parseFileName(name) ?? []);
  }

  private fileOf({ id, weight, operation, maxDurationMs }: Charge): string {
    return path.join(this.folder, [maxDurationMs, weight, operation, id].join('_'));
  }
}

/** The state with the intents that it does not count yet, as if they were sent now. */
export function withIntents(
  state: RateLimitState,
  intents: readonly Charge[],
  now: number,
): RateLimitState {
  const counted = new Set(state.entries.map(({ id }) => id));
  const others = intents.filter(({ id }) => !counted.has(id));
  return addCharges(state, others, now);
}

const namePattern = /^(\d{1,6})_(\d{1,2})_([A-Za-z]{1,40})_([0-9a-f-]{36})$/;

function parseFileName(name: string): Charge | undefined {
  const [, maxDurationMs, weight, operation = '', id = ''] = namePattern.exec(name) ?? [];
  if (!isOperation(operation)) return undefined;
  return { id, weight: Number(weight), operation, maxDurationMs: Number(maxDurationMs) };
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
