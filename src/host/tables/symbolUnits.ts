import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ExchangeInformation } from '../../exchange/records.ts';
import type { Column } from '../../protocol/table.ts';

type Symbols = ExchangeInformation['symbols'];

/** As exchange information was read last; none until then. */
export function knownSymbols({
  exchangeInformation,
}: Pick<AccountSession, 'exchangeInformation'>): Symbols {
  return exchangeInformation.cached?.value.symbols ?? [];
}

/**
 * Columns whose numbers are in an asset of the row’s symbol. The record names only the symbol, and
 * exchange information its assets (section 2.7): the numbers of an unknown symbol stay apart.
 */
export function withSymbolUnits(columns: readonly Column[], symbols: Symbols): Column[] {
  return columns.map((column) => {
    const { unitField } = column;
    if (unitField !== 'marginAsset' && unitField !== 'quoteAsset') return column;
    const units = Object.fromEntries(symbols.map((one) => [one.symbol, one[unitField]]));
    return { ...column, unitField: 'symbol', units };
  });
}
