import * as v from 'valibot';
import { l10n } from 'vscode';
import { UserFacingError } from '../../base/errors.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import { ledgerHistoryNames, operationOf } from '../../ledger/ledger.ts';
import type { Handlers } from '../../protocol/rpcServer.ts';
import { tableSources, type TableName } from '../../protocol/table.ts';
import type { TableMethods } from '../../protocol/tableMessages.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { PanelLedger } from './ledgerRows.ts';
import type { TableChoices } from '../webview/tableChoices.ts';

type LedgerRequestsOptions = {
  readonly ledger: PanelLedger;
  readonly choices: TableChoices;
  readonly log: Log;
};

/** Serves the requests of a page about the ledger beside its rows. */
export function ledgerRequests(
  table: TableName,
  { ledger, choices, log }: LedgerRequestsOptions,
): Pick<Handlers<TableMethods>, 'table/synchronise' | 'table/source'> {
  return {
    'table/synchronise': {
      params: v.null(),
      run: (_none, signal) => synchronise(ledger, table, signal),
    },
    'table/source': {
      params: v.picklist(tableSources),
      run: (source) =>
        logRejection(log, 'keeping where rows are read', choices.source(table).set(source)),
    },
  };
}

/** The histories of a table: transactions have one for each account. Rejects with why nothing was read. */
async function synchronise(
  { current }: PanelLedger,
  table: TableName,
  signal: AbortSignal,
): Promise<void> {
  const histories = ledgerHistoryNames.filter((history) => operationOf(history) === table);
  const isRead = await current?.synchronise(histories, signal).catch((error: unknown) => {
    // It took over in the middle of the read, for example while this machine slept.
    if (error instanceof LedgerError && error.problem === 'otherWriter') return false;
    throw error;
  });
  if (isRead === false)
    throw new UserFacingError(
      l10n.t('Another window reads this account into the ledger; this one shows what it has read.'),
    );
}
