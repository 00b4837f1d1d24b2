import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { always } from '../../src/base/interval.ts';
import type { ExportFormat } from '../../src/account/export/exportFormats.ts';
import {
  planExport,
  type ExportPlan,
  type ExportQuery,
} from '../../src/account/export/exportPlan.ts';
import { runExport } from '../../src/account/export/exportRun.ts';
import { metaFileName } from '../../src/account/export/exportedFile.ts';
import { ExportLedgers } from '../../src/account/export/exportLedgers.ts';
import type { AccountRows } from '../../src/account/export/exportRows.ts';
import type { ExportResult, Progress } from '../../src/account/export/progress.ts';
import type { Profile } from '../../src/account/session/profile.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import { clientKey, type ExchangeClient } from '../../src/exchange/client.ts';
import {
  defaultConventions,
  type ApiConventions,
} from '../../src/exchange/history/apiConventions.ts';
import type { HistorySelection } from '../../src/exchange/history/records.ts';
import { FakeClock } from './fakeClock.ts';
import { ledgerWorkerFile } from './ledgerUnderTest.ts';

/** The fields of `.meta.json` that tests read. */
export type Meta = {
  readonly rows: number;
  readonly sha256: string;
  readonly completeness: string;
  readonly badRecords: ExportResult['badRecords'];
  readonly [name: string]: unknown;
};

export type TestExportOptions = {
  readonly format?: ExportFormat;
  readonly period?: Partial<ExportQuery['period']>;
  readonly dialect?: ApiConventions;
  readonly profile?: Partial<Profile>;
  /** Of the account. */
  readonly fingerprint?: string;
  readonly signal?: AbortSignal;
  readonly ledger?: AccountRows | undefined;
  readonly onWait?: () => void;
  readonly onProgress?: (progress: Progress) => void;
  readonly onRowsWritten?: (rows: number) => void;
  /** The file's name in the target folder. */
  readonly name?: string;
};

/** Exports as the host does, without its questions. Unfinished exports are in the folder `kept`. */
export class TestExporter {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly ledgers: ExportLedgers;

  constructor(folder: string, clock = new FakeClock(Date.UTC(2026, 10, 20))) {
    this.folder = folder;
    this.clock = clock;
    const kept = path.join(folder, 'kept');
    this.ledgers = new ExportLedgers({ folder: kept, workerFile: ledgerWorkerFile, clock });
  }

  plan(
    request: HistorySelection,
    {
      format = 'csv',
      period,
      dialect = defaultConventions,
      profile,
      fingerprint = '1f3a',
    }: TestExportOptions = {},
  ): ExportPlan {
    const asked = { ...always, ...period };
    const account = {
      profile: { ...someProfile, ...profile },
      fingerprint,
      serverNow: () => this.clock.now(),
      conventions: { current: dialect },
    };
    return planExport(account, { request, period: asked }, format);
  }

  /** Starts or resumes an export, and resolves to the path of its file. */
  async export(
    client: ExchangeClient,
    request: HistorySelection,
    options: TestExportOptions = {},
  ): Promise<string> {
    const plan = this.plan(request, options);
    const target = path.join(this.folder, options.name ?? `${request.operation}.${plan.format}`);
    const nothing = (): void => undefined;
    await runExport({
      plan,
      request,
      account: { [clientKey]: client },
      ledger: options.ledger,
      exports: this.ledgers,
      target,
      clock: this.clock,
      writtenBy: 'Margin Desk 0.0.0',
      onWait: options.onWait ?? nothing,
      onProgress: options.onProgress ?? nothing,
      onRowsWritten: options.onRowsWritten ?? nothing,
      signal: options.signal ?? new AbortController().signal,
    });
    return target;
  }

  /** The file names of unfinished exports. */
  async kept(): Promise<string[]> {
    return readdir(path.join(this.folder, 'kept')).catch(() => []);
  }
}

export async function metaOf(file: string): Promise<Meta> {
  return JSON.parse(await readFile(metaFileName(file), 'utf8')) as Meta;
}

export const someProfile: Profile = {
  name: 'Main',
  environment: 'live',
  baseUrl: 'https://exchange.example/prefix',
  readOnly: true,
  limitPer: 'origin',
  auth: defaultHmacQuery,
  sign: [],
  dialect: defaultConventions,
};
