import type { SymbolAssets } from '../storage/symbolAssets.ts';
import type { AnalysisSeries } from './analysis.ts';

/** What the realised P&L of a symbol counts in. P&L of an unknown asset has no sum with that of another symbol. */
export function plAsset(
  symbols: SymbolAssets,
  symbol: string,
): Pick<AnalysisSeries, 'asset' | 'assetBasis'> {
  const known = symbols.marginAssetOf(symbol);
  if (!known) return { asset: symbol, assetBasis: 'unknown' };
  return { asset: known.asset, assetBasis: known.isAssumed ? 'assumed' : 'known' };
}
