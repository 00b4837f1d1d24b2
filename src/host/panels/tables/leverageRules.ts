import { l10n } from 'vscode';
import type { Snapshot } from '../../../account/accountStore.ts';
import { cleanText } from '../../../base/cleanText.ts';
import { isSame } from '../../../base/decimal.ts';
import type { Display } from '../../../base/display.ts';
import type { LeverageRule } from '../../../exchange/records.ts';
import { referenceTable } from '../referenceTable.ts';
import type { Cell, FactGroup } from '../../../protocol/table.ts';
import type { Table } from '../table.ts';

const mostNames = 5;

/**
 * Leverage rules (sections 2.8 and 4.8), those of the open positions marked with their symbols. Only
 * the margins state a unit: percent.
 */
export function leverageRulesTable(): Table {
  const { t } = l10n;
  return referenceTable<LeverageRule>({
    title: t('Leverage Rules'),
    columns: [
      { field: 'leverage', label: t('Leverage'), kind: 'decimal' },
      { field: 'positionNotional', label: t('Position notional'), kind: 'decimal' },
      { field: 'maintenanceMargin', label: t('Maintenance margin'), kind: 'percent' },
      { field: 'initialMargin', label: t('Initial margin'), kind: 'percent' },
    ],
    ofAccount: (rows, snapshot, display) => {
      const marks = rows.flatMap(([leverage], row) => {
        const symbols = symbolsAt(snapshot, leverage ?? null);
        return symbols.length > 0 ? [{ row, label: namesOf(symbols, display) }] : [];
      });
      return { marks, facts: snapshot && marks.length > 0 ? [ageOf(snapshot)] : [] };
    },
    read: async ({ client }, signal) => {
      const { value, badRecords } = await client.leverage(signal);
      return { items: value, badRecords };
    },
  });
}

/** Of when the positions are that are marked. */
function ageOf({ asOf }: Snapshot): FactGroup {
  const cell = String(asOf);
  const fact = { field: 'asOf', label: l10n.t('Account read at'), kind: 'time', cell } as const;
  return { title: l10n.t('Open positions'), facts: [fact] };
}

/** The symbols of the positions with this leverage. */
function symbolsAt(snapshot: Snapshot | undefined, wanted: Cell): string[] {
  const positions = snapshot?.account.positions ?? [];
  return positions.flatMap(({ leverage, symbol }) => (isSame(leverage, wanted) ? [symbol] : []));
}

function namesOf(symbols: readonly string[], display: Display): string {
  const names = symbols.slice(0, mostNames).map((symbol) => cleanText(symbol, 40));
  const rest = symbols.length - names.length;
  const shown = names.join(', ');
  return rest > 0 ? l10n.t('{0} and {1} more', shown, display.count(rest)) : shown;
}
