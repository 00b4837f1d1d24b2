import { isJsonObject, parseJson } from '../../base/exactJson.ts';
import { BodyTooLarge } from './connectionFailure.ts';

/** The fields of a symbol that the product uses. */
const usedFields = ['symbol', 'marginAsset', 'baseAsset', 'pair', 'quoteAsset', 'status'];
/** Strings, the last of which may be cut, and what separates values. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*("?)|[[\]{},]/gs;
const depthChanges: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
/** What is beside the symbols is small. More is not exchange information: it is cut, and so no JSON. */
const maxRest = 1024 * 1024;

/**
 * Shortens exchange information, part by part of its text, to what is used of each symbol: all that some
 * exchanges say of 3,000 symbols would take hundreds of megabytes.
 */
export class UsedExchangeInfo {
  private kept = '';
  private restLength = 0;
  private cutString = '';
  private lastString = '';
  private depth = 0;
  /** The element of `symbols` that is being read, as far as it came; undefined outside of it. */
  private symbol: string | undefined;

  /** JSON if the information is. */
  get text(): string {
    return this.kept + this.cutString;
  }

  /** Throws BodyTooLarge at a string that no exchange information has: it would be read again with each part. */
  add(text: string): void {
    if (this.cutString.length > maxRest) throw new BodyTooLarge(maxRest);
    const part = this.cutString + text;
    this.cutString = '';
    let start = 0;
    for (const { 0: token, 1: quote, index } of part.matchAll(tokens)) {
      if (quote === '') this.cutString = part.slice(index);
      else if (quote === '"') this.lastString = token;
      else if (this.isBoundary(token)) {
        this.keep(part.slice(start, index));
        this.endSymbol(token);
        start = index + 1;
      }
    }
    this.keep(part.slice(start, part.length - this.cutString.length));
  }

  /** Whether a bracket or comma begins or ends an element of `symbols`. */
  private isBoundary(token: string): boolean {
    this.depth += depthChanges[token] ?? 0;
    if (this.symbol === undefined)
      return token === '[' && this.depth === 2 && this.lastString === '"symbols"';
    return this.depth === 1 || (this.depth === 2 && token === ',');
  }

  private endSymbol(boundary: string): void {
    this.kept += usedSymbol(this.symbol ?? '') + boundary;
    this.symbol = this.depth === 2 ? '' : undefined;
  }

  private keep(text: string): void {
    if (this.symbol !== undefined) this.symbol += text;
    else if ((this.restLength += text.length) <= maxRest) this.kept += text;
  }
}

function usedSymbol(text: string): string {
  try {
    const symbol = parseJson(text);
    if (!isJsonObject(symbol)) return text;
    return JSON.stringify(Object.fromEntries(usedFields.map((name) => [name, symbol[name]])));
  } catch {
    return text;
  }
}
