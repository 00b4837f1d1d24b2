/** The asset of a symbol's margin and realised P&L: what the symbol ends with (section 2). */
export function marginAssetOf(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('_') + 1);
}
