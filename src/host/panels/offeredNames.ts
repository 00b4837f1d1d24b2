import type { Session } from '../../account/session.ts';
import type { Account, ExchangeInformation } from '../../exchange/records.ts';
import { systemClock } from '../../base/clock.ts';
import { maxFilterText } from '../../protocol/table.ts';

const patienceMs = 1000;

/** Names that filters offer: the account's own first, each once. */
export type OfferedNames = {
  readonly symbols: readonly string[];
  readonly assets: readonly string[];
};

/**
 * Gathers what filters offer from the account's newest snapshot and from exchange information, which
 * it reads once a session; what cannot be read, or not within a second, offers nothing.
 */
export class NameReader {
  private readonly readings = new WeakMap<Session, Promise<ExchangeInformation>>();

  async read(session: Session): Promise<OfferedNames> {
    const information = await Promise.race([this.information(session), shortly()]);
    return namesOf(session.store.state.snapshot?.account, information?.symbols ?? []);
  }

  private async information(session: Session): Promise<ExchangeInformation | undefined> {
    const reading =
      this.readings.get(session) ?? session.client.exchangeInfo().then(({ value }) => value);
    this.readings.set(session, reading);
    try {
      return await reading;
    } catch {
      this.readings.delete(session);
      return undefined;
    }
  }
}

/** Names are only offered: no table waits long for them. */
function shortly(): Promise<undefined> {
  return new Promise((resolve) => systemClock.after(patienceMs, () => resolve(undefined)));
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
