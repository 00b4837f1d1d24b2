import { operations } from '../../exchange/operations.ts';
import { ledgerHistories } from '../../ledger/ledger.ts';
import type { RowSelection } from '../../ledger/analysis/analysis.ts';
import { maxFilterLength } from '../../protocol/table.ts';

/**
 * What a panel can filter of a selection: by the parameters of its history, with one value each.
 * `isWider`: the panel has other rows as well.
 */
export function panelFilters({ history, filters, isExact }: RowSelection): {
  readonly filters: Readonly<Record<string, string>>;
  readonly isWider: boolean;
} {
  const { parameters } = operations[ledgerHistories[history].operation];
  const all = Object.entries(filters);
  const own = all.flatMap(([field, [value, ...others]]) =>
    value !== undefined &&
    others.length === 0 &&
    value.length <= maxFilterLength &&
    Object.hasOwn(parameters, field)
      ? [[field, value] as const]
      : [],
  );
  return { filters: Object.fromEntries(own), isWider: !isExact || own.length < all.length };
}
