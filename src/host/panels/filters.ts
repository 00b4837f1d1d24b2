import { l10n } from 'vscode';
import type { Filter } from '../../protocol/table.ts';
import type { OfferedNames } from './offeredNames.ts';

/** Filters that several histories have (sections 4.1 to 4.4). */

export function symbolFilter({ symbols }: OfferedNames): Filter {
  return { parameter: 'symbol', label: l10n.t('Symbol'), kind: 'text', options: symbols };
}

export function sideFilter(): Filter {
  return { parameter: 'side', label: l10n.t('Side'), kind: 'choice', options: ['BUY', 'SELL'] };
}

export function periodFilters(): readonly Filter[] {
  return [
    { parameter: 'dateFrom', label: l10n.t('From'), kind: 'instant', options: [] },
    { parameter: 'dateTo', label: l10n.t('To'), kind: 'instant', options: [] },
  ];
}
