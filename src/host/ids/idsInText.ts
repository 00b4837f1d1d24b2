/** What a text may name: any id by many digits, one of a kind by the word before it, or a UUID. */
export type IdKind = 'any' | 'order' | 'trade' | 'transaction' | 'uuid';

/** Where a text has what may be an id; offsets are those of JavaScript's strings. */
export type IdInText = {
  readonly id: string;
  readonly kind: IdKind;
  readonly start: number;
  readonly end: number;
};

/** The most digits that an id of the exchange may have. */
const mostDigits = 40;

/**
 * A UUID; a number directly after the word of its kind, as in `order 12`, `Trade #12` or `"orderId": "12"`;
 * or a number of at least 12 digits. A part of another number or word is none of them.
 */
const uuid = String.raw`(?<![\w-])(?<uuid>[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})(?![\w-])`;
const word = String.raw`\b(?<word>order|trade|transaction)(?:[ _-]?id)?["']?[ \t]{0,2}[:=#]?[ \t]{0,2}["'#]?`;
const integer = String.raw`(?:0|[1-9]\d{0,${mostDigits - 1}})`;
const long = String.raw`(?<![\p{L}\d]|\d[.,])(?<long>[1-9]\d{11,${mostDigits - 1}})`;
const endsHere = String.raw`(?![\p{L}\d_]|[.,]\d)`;
const pattern = new RegExp(
  `${uuid}|${word}(?<short>${integer})${endsHere}|${long}${endsHere}`,
  'giu',
);

/** In the order of the text; they do not overlap. */
export function idsInText(text: string): IdInText[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index, groups = {} }) => {
    const end = index + found.length;
    const { uuid: uuidText, word: kind, short, long: longText } = groups;
    const id = uuidText ?? short ?? longText ?? '';
    return { id, kind: kindOf(uuidText, kind), start: end - id.length, end };
  });
}

function kindOf(uuidText: string | undefined, kind: string | undefined): IdKind {
  if (uuidText !== undefined) return 'uuid';
  return kind === undefined ? 'any' : (kind.toLowerCase() as IdKind);
}
