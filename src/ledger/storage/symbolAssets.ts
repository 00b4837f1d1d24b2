import type { DatabaseSync } from 'node:sqlite';
import type { SymbolInformation } from '../../exchange/records.ts';
import { minTimesHeld, postingDelayMs } from '../ledger.ts';

export type SymbolAsset = Pick<SymbolInformation, 'symbol' | 'marginAsset' | 'quoteAsset'>;

type Role = Exclude<keyof SymbolAsset, 'symbol'>;

/**
 * How the asset of a symbol is known. `assumed`: the symbol ends with it, as those of all symbols that were listed do.
 * `unknown`: the symbol stands in its place, so that its P&L has no sum with that of another.
 */
export type AssetBasis = 'known' | 'assumed' | 'unknown';

type AssetOfSymbol = { readonly asset: string; readonly assetBasis: AssetBasis };

/** How many trades of a symbol show in which asset its P&L is booked. */
const mostBooked = 100;

/** The assets of each symbol that exchange information ever listed, and what is known of the others. */
export class SymbolAssets {
  private readonly database: DatabaseSync;
  private readonly known = new Map<string, AssetOfSymbol>();
  private readonly names = new Map<string, string>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  keep(symbols: readonly SymbolAsset[]): void {
    const statement = this.database.prepare(
      `INSERT INTO symbols (symbol, marginAsset, quoteAsset) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET marginAsset = excluded.marginAsset, quoteAsset = excluded.quoteAsset`,
    );
    for (const { symbol, marginAsset, quoteAsset } of symbols)
      statement.run(symbol, marginAsset, quoteAsset);
  }

  /** In which the P&L of a symbol is realised, or its prices are. */
  assetOf(symbol: string, role: Role): AssetOfSymbol {
    const key = `${role} ${symbol}`;
    const found = this.known.get(key) ?? this.find(symbol, role);
    this.known.set(key, found);
    return found;
  }

  /** An asset in the letters of transactions: fees may have others. */
  nameOf(asset: string): string {
    const name = this.names.get(asset) ?? this.written(asset) ?? asset;
    this.names.set(asset, name);
    return name;
  }

  private find(symbol: string, role: Role): AssetOfSymbol {
    const listed = this.listed(symbol, role);
    const asset = listed ?? (role === 'marginAsset' ? this.booked(symbol) : null);
    // Records may write it in other letters than exchange information.
    if (asset !== null) return { asset: this.written(asset) ?? asset, assetBasis: 'known' };
    const assumed = this.ending(symbol, role);
    if (assumed !== null) return { asset: assumed, assetBasis: 'assumed' };
    return { asset: symbol, assetBasis: 'unknown' };
  }

  private listed(symbol: string, role: Role): string | null {
    const found = this.database
      .prepare(`SELECT ${role} AS asset FROM symbols WHERE symbol = ?`)
      .get(symbol);
    return found ? String(found.asset) : null;
  }

  /** An asset as transactions and fees write it; null if none has it. */
  private written(asset: string): string | null {
    const found = this.database
      .prepare(
        `SELECT word FROM words WHERE field IN ('asset', 'feeAsset') AND lower(word) = ? ORDER BY field`,
      )
      .get(asset.toLowerCase());
    return found ? String(found.word) : null;
  }

  /** The only asset in which each of its newest trades may be booked, if most of them may be booked in any. */
  private booked(symbol: string): string | null {
    const rows = this.database
      .prepare(
        `SELECT json_group_array(DISTINCT asset) AS assets
         FROM (
           SELECT row, time, rpnl, rpnlNano, rpnlAtto FROM trades
           WHERE symbol = ? AND (rpnl <> 0 OR rpnlNano <> 0 OR rpnlAtto <> 0) AND unlistedSince IS NULL
           ORDER BY time DESC LIMIT ${mostBooked}
         ) AS trade
         LEFT JOIN futureTransactions AS booked ON booked.time BETWEEN trade.time AND trade.time + ${postingDelayMs}
           AND booked.unlistedSince IS NULL AND type = 'REALIZED_PL' AND amount = rpnl AND amountNano IS rpnlNano AND amountAtto IS rpnlAtto
         GROUP BY trade.row`,
      )
      .all(symbol);
    const booked = rows
      .map(({ assets }) => JSON.parse(String(assets)) as readonly (string | null)[])
      .filter(([asset]) => asset !== null);
    if (booked.length < minTimesHeld || 2 * booked.length <= rows.length) return null;
    const [first = [], ...later] = booked;
    const ofAll = first.filter((each) => later.every((some) => some.includes(each)));
    const [asset, ...others] = ofAll;
    return asset !== undefined && others.length === 0 ? asset : null;
  }

  /** What it ends with, after its last underscore, if that is an asset that records name. */
  private ending(symbol: string, role: Role): string | null {
    const listed = this.database.prepare(`SELECT symbol, ${role} AS asset FROM symbols`).all();
    const holds = listed.every((each) =>
      isSameName(endingOf(String(each.symbol)), String(each.asset)),
    );
    return holds ? this.written(endingOf(symbol)) : null;
  }
}

function isSameName(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

function endingOf(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('_') + 1);
}
