import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { metaNameOf } from '../../src/account/export/placeFile.ts';
import {
  planExport,
  type ExportPlan,
  type ExportSubject,
} from '../../src/account/export/exportPlan.ts';
import { runExport } from '../../src/account/export/exportRun.ts';
import type { PartialFile } from '../../src/account/export/partialFile.ts';
import { Partials } from '../../src/account/export/partials.ts';
import type { Progress } from '../../src/account/export/progress.ts';
import type { FormatName } from '../../src/account/export/rowWriter.ts';
import type { Profile } from '../../src/account/profile.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { defaultDialect, type Dialect } from '../../src/exchange/dialect/dialect.ts';
import type { HistoryRequest } from '../../src/exchange/walk/clientHistory.ts';
import { FakeClock } from './fakeClock.ts';

/** What `.meta.json` says, as far as tests look. */
export type Meta = {
  readonly rows: number;
  readonly sha256: string;
  readonly completeness: string;
  readonly badRecords: Progress['badRecords'];
  readonly [name: string]: unknown;
};

export type Wish = {
  readonly format?: FormatName;
  readonly period?: Partial<ExportSubject['period']>;
  readonly dialect?: Dialect;
  readonly profile?: Partial<Profile>;
  /** Whose credentials they are. */
  readonly fingerprint?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** The file's name in the target folder. */
  readonly name?: string;
};

/** Exports as the host does, without its questions: into `targets`, with what is unfinished in `kept`. */
export class ExportDesk {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly partials: Partials;

  constructor(folder: string, clock = new FakeClock(Date.UTC(2026, 10, 20))) {
    this.folder = folder;
    this.clock = clock;
    this.partials = new Partials({ folder: path.join(folder, 'kept'), clock });
  }

  plan(
    request: HistoryRequest,
    { format = 'csv', period, dialect = defaultDialect, profile, fingerprint = '1f3a' }: Wish = {},
  ): ExportPlan {
    const asked = { from: undefined, to: undefined, ...period };
    const client = { serverNow: () => this.clock.now(), dialect };
    const account = { profile: { ...someProfile, ...profile }, fingerprint, client };
    return planExport(account, { request, period: asked }, format);
  }

  /** Starts an export, or goes on with what is kept of it, and gives its file's path. */
  async export(client: ExchangeClient, request: HistoryRequest, wish: Wish = {}): Promise<string> {
    const plan = this.plan(request, wish);
    const target = path.join(this.folder, wish.name ?? `${request.operation}.${plan.format}`);
    await runExport({
      plan,
      request,
      client: client.at('bulk'),
      partial: await this.partial(plan),
      target,
      clock: this.clock,
      writtenBy: 'Margin Desk 0.0.0',
      onProgress: wish.onProgress ?? (() => undefined),
      signal: wish.signal ?? new AbortController().signal,
    });
    return target;
  }

  async partial(plan: ExportPlan): Promise<PartialFile> {
    const kept = await this.partials.find(plan);
    const resumed = kept.kind === 'kept' ? await this.partials.resume(kept) : undefined;
    return resumed ?? this.partials.start(plan);
  }

  /** The names of what is kept of unfinished exports. */
  async kept(): Promise<string[]> {
    return readdir(path.join(this.folder, 'kept')).catch(() => []);
  }
}

export async function metaOf(file: string): Promise<Meta> {
  return JSON.parse(await readFile(metaNameOf(file), 'utf8')) as Meta;
}

export const someProfile: Profile = {
  name: 'Main',
  environment: 'live',
  baseUrl: 'https://exchange.example/prefix',
  readOnly: true,
  auth: defaultHmacQuery,
  sign: [],
  dialect: defaultDialect,
};
