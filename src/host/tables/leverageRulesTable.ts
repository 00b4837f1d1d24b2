import { l10n } from 'vscode';
import type { Snapshot } from '../../account/session/accountStore.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isSame } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { LeverageRuleKinds } from '../../exchange/records.ts';
import type { Cell, SummaryGroup } from '../../protocol/table.ts';
import { recordColumns } from './recordColumns.ts';
import type { ReferenceTable } from './tableDefinition.ts';

const maxNames = 5;

/**
 * Leverage rules (sections 2.8 and 4.8). A rule that applies to open positions is marked with their
 * symbols. Only the margins have a unit: percent.
 */
export function leverageRulesTable(): ReferenceTable {
  const { t } = l10n;
  const columns = recordColumns<LeverageRuleKinds>({
    leverage: { label: t('Leverage'), kind: 'decimal' },
    positionNotional: { label: t('Position notional'), kind: 'decimal' },
    maintenanceMargin: { label: t('Maintenance margin'), kind: 'percent' },
    initialMargin: { label: t('Initial margin'), kind: 'percent' },
  });
  return {
    kind: 'reference',
    operation: 'leverage',
    title: t('Leverage Rules'),
    columns,
    accountAnnotations: (rows, snapshot, display) => {
      const marks = rows.flatMap(([leverage], row) => {
        const symbols = symbolsAt(snapshot, leverage ?? null);
        return symbols.length > 0 ? [{ row, label: symbolList(symbols, display) }] : [];
      });
      const isShown = marks.length > 0 || snapshot?.account.positions === null;
      return { marks, summary: snapshot && isShown ? [positionsSummary(snapshot)] : [] };
    },
    read: async (client, signal) => {
      const { value, badRecords } = await client.leverage({ signal });
      return { items: value, badRecords };
    },
  };
}

/** When the marked positions were read; their leverage is unknown if they could not be. */
function positionsSummary({ asOf, account: { positions } }: Snapshot): SummaryGroup {
  const { t } = l10n;
  const unknown = { field: 'leverage', label: t('Leverage'), kind: 'decimal', cell: null } as const;
  const cell = String(asOf);
  const readAt = { field: 'asOf', label: t('Account read at'), kind: 'time', cell } as const;
  return { title: t('Open positions'), items: positions ? [readAt] : [unknown, readAt] };
}

function symbolsAt(snapshot: Snapshot | undefined, level: Cell): string[] {
  const positions = snapshot?.account.positions ?? [];
  return positions.flatMap(({ leverage, symbol }) => (isSame(leverage, level) ? [symbol] : []));
}

function symbolList(symbols: readonly string[], display: Display): string {
  const names = symbols.slice(0, maxNames).map((symbol) => cleanText(symbol, 40));
  const rest = symbols.length - names.length;
  const shown = names.join(', ');
  return rest > 0 ? l10n.t('{0} and {1} more', shown, display.count(rest)) : shown;
}
