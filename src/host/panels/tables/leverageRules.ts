import { l10n } from 'vscode';
import type { Session } from '../../../account/session.ts';
import { cleanText } from '../../../base/cleanText.ts';
import type { LeverageRule } from '../../../exchange/records.ts';
import { referenceTable } from '../referenceTable.ts';
import type { FactGroup } from '../../../protocol/table.ts';
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
    read: async (session, signal) => {
      const { value, badRecords } = await session.client.leverage(signal);
      const marks = value.flatMap(({ leverage }, row) => {
        const symbols = symbolsAt(session, leverage);
        return symbols.length > 0 ? [{ row, label: namesOf(symbols) }] : [];
      });
      return { items: value, badRecords, marks, facts: marks.length > 0 ? ageOf(session) : [] };
    },
  });
}

/** Of when the positions are that are marked. */
function ageOf({ store }: Session): FactGroup[] {
  const { snapshot } = store.state;
  const cell = snapshot ? String(snapshot.asOf) : null;
  const fact = { field: 'asOf', label: l10n.t('Account read at'), kind: 'time', cell } as const;
  return [{ title: l10n.t('Open positions'), facts: [fact] }];
}

/** The symbols of the newest snapshot's positions with this leverage. */
function symbolsAt({ store }: Session, wanted: string): string[] {
  const positions = store.state.snapshot?.account.positions ?? [];
  return positions.flatMap(({ leverage, symbol }) => (leverage === wanted ? [symbol] : []));
}

function namesOf(symbols: readonly string[]): string {
  const names = symbols.slice(0, mostNames).map((symbol) => cleanText(symbol, 40));
  const rest = symbols.length - names.length;
  return rest > 0 ? l10n.t('{0} and {1} more', names.join(', '), rest) : names.join(', ');
}
