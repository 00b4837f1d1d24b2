import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExportSubject } from '../../account/export/exportPlan.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import type { Handlers } from '../../protocol/answerer.ts';
import {
  cellOfPageSchema,
  tableFiltersSchema,
  tableQuerySchema,
  type CellOfPage,
  type TableDescription,
  type TableFilters,
  type TableMethods,
  type TablePage,
  type TableQuery,
} from '../../protocol/table.ts';
import { inBackground } from '../background.ts';
import type { DisplayState } from '../displayState.ts';
import type { Log } from '../log.ts';
import { linkTarget, offerLink } from './openLink.ts';
import type { Table } from './table.ts';

/** What the answers to a page are made of. */
export type TableHost = {
  readonly table: Table;
  readonly log: Log;
  readonly display: DisplayState;
  readonly confirmRealValues: () => Promise<boolean>;
  readonly exportRows: (subject: ExportSubject) => void;
  describe(): Promise<TableDescription>;
  page(query: TableQuery, signal: AbortSignal): Promise<TablePage>;
  /** A cell as the wire wrote it; undefined where the rows have changed. */
  cellAt(cell: CellOfPage): string | undefined;
  tellCopied(): void;
};

/** What a table page may ask, each with the check of what came with it. */
export function tableHandlers(host: TableHost): Handlers<TableMethods> {
  return {
    'table/open': { parse: () => null, run: () => host.describe() },
    'table/page': {
      parse: (params) => v.parse(tableQuerySchema, params),
      run: (query, signal) => host.page(query, signal),
    },
    'table/openLink': {
      parse: (params) => v.parse(v.string(), params),
      run: (link) => openLink(link, host),
    },
    'table/export': {
      parse: (params) => v.parse(tableFiltersSchema, params),
      run: (filters) => exportRows(filters, host),
    },
    'table/copy': {
      parse: (params) => v.parse(cellOfPageSchema, params),
      run: (cell) => copy(cell, host),
    },
  };
}

/** Does not wait for the person: the page hears only whether the link is one to ask about. */
function openLink(link: string, { log, display }: TableHost): Promise<null> {
  inBackground(log, 'opening a link', offerLink(linkTarget(link, display.current)));
  return Promise.resolve(null);
}

function exportRows(filters: TableFilters, host: TableHost): Promise<null> {
  const subject = host.table.subjectOf?.(filters);
  if (subject) host.exportRows(subject);
  return Promise.resolve(null);
}

/** Takes the cell before the question: rows may come and go while it stands. */
function copy(cell: CellOfPage, host: TableHost): Promise<null> {
  const text = host.cellAt(cell);
  if (text === undefined)
    throw new SentenceError(vscode.l10n.t('Nothing was copied: the rows have changed.'));
  inBackground(host.log, 'copying a cell', copyReal(text, host));
  return Promise.resolve(null);
}

async function copyReal(text: string, host: TableHost): Promise<void> {
  if (!(await host.confirmRealValues())) return;
  await vscode.env.clipboard.writeText(text);
  host.tellCopied();
}
