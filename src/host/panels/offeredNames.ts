import type { Session } from '../../account/session.ts';
import type { Account, ExchangeInformation } from '../../exchange/records.ts';
import { maxFilterText } from '../../protocol/table.ts';

/** Names that filters offer: the account's own first, each once. */
export type OfferedNames = {
  readonly symbols: readonly string[];
  readonly assets: readonly string[];
};

/**
 * Gathers what filters offer from the account's newest snapshot and from exchange information; what
 * cannot be read, or not within a second, offers nothing.
 */
export async function offeredNames(session: Session): Promise<OfferedNames> {
  const information = await session.exchangeInformation.soon();
  return namesOf(session.store.state.snapshot?.account, information?.symbols ?? []);
}

function namesOf(
  account: Account | undefined,
  listed: ExchangeInformation['symbols'],
): OfferedNames {
  const own = account ?? { positions: [], assets: [] };
  return {
    symbols: offered([...own.positions, ...listed].map(({ symbol }) => symbol)),
    assets: offered([
      ...own.assets.map(({ name }) => name),
      ...listed.flatMap(({ marginAsset, quoteAsset }) => [marginAsset, quoteAsset]),
    ]),
  };
}

function offered(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '' && name.length <= maxFilterText);
}
