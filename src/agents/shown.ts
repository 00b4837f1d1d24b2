import { cleanText } from '../base/cleanText.ts';
import { isNumberText, plain } from '../base/decimal.ts';
import { isDisplayField, isPrivateField } from '../base/fieldPrivacy.ts';
import { openEnd, openStart } from '../base/interval.ts';
import { isoTime } from '../base/time.ts';

/** Numbers of answers that are no fields, and say nothing of what a person has. */
const publicNumbers = new Set([
  ...['id', 'key', 'account', 'asset', 'entryPrice', 'exitPrice', 'rate', 'tier'],
  ...['feeTier', 'feeTierDiscount'],
]);

/** Also of numbers that are too long to be read. */
const numberShape = /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i;

const moments = new Set([
  ...['from', 'to', 'time', 'updatedAt', 'asOf', 'completeTo', 'opened', 'closed'],
  'unlistedSince',
]);

const mostText = 500;

/**
 * What an answer says, as an agent may see it, by the names of its parts: amounts with every digit or hidden, times in
 * UTC, and text of the exchange cleaned as on pages. Fields that the API does not name are left out.
 */
export function shown(value: unknown, hidesAmounts: boolean, name = ''): unknown {
  if (typeof value === 'number') return moments.has(name) ? momentText(value) : value;
  if (typeof value === 'string') return shownText(value, hidesAmounts, name);
  if (Array.isArray(value)) return value.map((item) => shown(item, hidesAmounts, name));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).filter(([part]) => part !== 'extra');
  return Object.fromEntries(parts.map(([part, own]) => [part, shown(own, hidesAmounts, part)]));
}

function shownText(text: string, hidesAmounts: boolean, name: string): string {
  const isPrivate = isDisplayField(name)
    ? isPrivateField(name)
    : name === 'otherFields' || (numberShape.test(text) && !publicNumbers.has(name));
  if (isPrivate && hidesAmounts) return 'hidden';
  if (isPrivate && isNumberText(text)) return plain(text);
  // Half of a pair of UTF-16 is no JSON for every reader.
  return cleanText(moments.has(name) ? isoTime(text) : text, mostText).toWellFormed();
}

/** Null for an open end. */
function momentText(epochMs: number): string | null {
  const isOpen = epochMs <= openStart || epochMs >= openEnd;
  return isOpen ? null : new Date(epochMs).toISOString();
}
