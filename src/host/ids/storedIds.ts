import type { CancellationToken } from 'vscode';
import type { IdPlace, LedgerReader } from '../../ledger/ledger.ts';
import { idPlacesOfKind, type IdKind, type StoredId } from '../../ledger/relatedRecords.ts';

/** Where a text has what may be an id; offsets are those of JavaScript's strings. */
export type IdInText = {
  readonly id: string;
  readonly kind: IdKind;
  readonly start: number;
  readonly end: number;
};

/** The most digits that an id of the exchange may have. */
const mostDigits = 40;

/** Written without spaces between words: these letters may stand beside a number. */
const cjk = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}`;
const letter = String.raw`[\p{L}--[${cjk}]]`;
/** What is left of a colour code that a log shows or escapes; it ends with a letter. */
const afterColour = String.raw`(?<=\[[\d;]{0,20}m)`;
const beginsHere = String.raw`(?:(?<!${letter}|\d)|${afterColour})`;
const endsHere = String.raw`(?!${letter}|[\d_]|[.,]\d)`;

/**
 * A UUID; a number directly after the word of its kind, as in `order 12`, `Trade #12`, `venue_order_id=12` or
 * `"exchangeOrderId": "12"`; or a number of at least 12 digits. A part of another number or word is none of them.
 */
const uuid = String.raw`(?:(?<![\w\-])|${afterColour})(?<uuid>[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12})(?![\w\-])`;
const id = String.raw`[ _\-]?(?:[iI]d|ID)`;
const words = String.raw`(?:[oO]rder|ORDER|[tT]rade|TRADE|[tT]ransaction|TRANSACTION)(?:${id})?|(?:[oO]rd|ORD)${id}`;
const cjkWords = '(?:订单|訂單|注文|주문|成交|約定|체결)(?:[编編]?[号號]|番号|번호|ID)?';
/** The client's own id of an order has another place. */
const client = String.raw`(?<=(?<client>(?:(?<![a-z])c|C)l(?:ient)?[_\-]?|CL(?:IENT)?[_\-]?)?)`;
const word = String.raw`(?:(?:${beginsHere}|(?<=[a-z])(?=[OT]))${client}(?<word>${words})|(?<cjkWord>${cjkWords}))`;
const colour = String.raw`(?:\x1b\[[\d;]{0,20}m)?`;
const separator = String.raw`\\?["']?${colour}[ \t]{0,2}[:：=#]?[ \t]{0,2}${colour}\\?["'#]?`;
const short = String.raw`(?<short>0|[1-9]\d{0,${mostDigits - 1}})(?!-[\da-f]{4}-)`;
const long = String.raw`(?=[1-9]\d{11})${beginsHere}(?<!\d[.,])(?<long>[1-9]\d{11,${mostDigits - 1}})`;
const pattern = new RegExp(
  `${uuid}|${word}${separator}${short}${endsHere}|${long}${endsHere}`,
  'gv',
);

/** In the order of the text; they do not overlap. */
export function idsInText(text: string): IdInText[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index, groups = {} }) => {
    const end = index + found.length;
    const { uuid: uuidText, word: named, cjkWord, client: own, short, long: longText } = groups;
    const id = uuidText ?? short ?? longText ?? '';
    const kind = (uuidText ?? own) ? 'uuid' : kindOf(named ?? cjkWord);
    return { id, kind, start: end - id.length, end };
  });
}

function kindOf(named: string | undefined): IdKind {
  if (named === undefined) return 'any';
  if (/^(?:trade|成交|約定|체결)/i.test(named)) return 'trade';
  return /^transaction/i.test(named) ? 'transaction' : 'order';
}

/** The same, and its position in a text, which may write a UUID in upper case. */
type StoredIdInText = StoredId & Pick<IdInText, 'start' | 'end'>;

/** How many ids are looked up at once: a page of a panel waits for one lookup at most. */
const batchSize = 5000;

/** Those of the ids that the ledger has; none once the request is cancelled. */
export async function storedIds(
  named: readonly IdInText[],
  reader: Reader,
  token: Token,
): Promise<readonly StoredIdInText[]> {
  const stored: StoredIdInText[] = [];
  for (const [kind, ofKind] of Map.groupBy(named, (each) => each.kind)) {
    const places = await placesOf(kind, ofKind, reader, token);
    for (const { id: written, start, end } of ofKind) {
      const id = places.has(written) ? written : written.toLowerCase();
      const place = places.get(id);
      if (place) stored.push({ id, place, start, end });
    }
  }
  return token.isCancellationRequested ? [] : stored;
}

type Reader = Pick<LedgerReader, 'findIds'>;
type Token = Pick<CancellationToken, 'isCancellationRequested'>;

/** The place of each id that the ledger has. */
async function placesOf(
  kind: IdKind,
  named: readonly IdInText[],
  reader: Reader,
  token: Token,
): Promise<ReadonlyMap<string, IdPlace>> {
  const places = idPlacesOfKind[kind];
  const spellings = new Set(named.map(({ id }) => id));
  // A text may write a UUID in upper case where the exchange writes it in lower case.
  if (kind === 'uuid') for (const { id } of named) spellings.add(id.toLowerCase());
  const ids = [...spellings];
  const found = new Map<string, IdPlace>();
  for (let start = 0; start < ids.length && !token.isCancellationRequested; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const indexes = await reader.findIds(places, batch);
    for (const [index, id] of batch.entries()) {
      const place = places[indexes[index] ?? -1];
      if (place) found.set(id, place);
    }
  }
  return found;
}
