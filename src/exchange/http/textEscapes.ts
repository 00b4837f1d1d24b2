/** A text without escapes, and where a character of it begins in the text with them. */
type DecodedText = { readonly text: string; readonly startOf: (index: number) => number };

/** As text may be escaped in a URL, in HTML, or in JSON and other literals. */
const escapes =
  /(?:%[0-9a-f]{2})+|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\["'\\/bfnrt]/gi;
const names = new Map([
  ...(['&amp;&', '&lt;<', '&gt;>', '&quot;"', "&apos;'"] as const).map(splitLast),
  ...(['\\b\b', '\\f\f', '\\n\n', '\\r\r', '\\t\t'] as const).map(splitLast),
]);
/** What is escaped more often than that was not echoed by a server. */
const maxLevels = 8;

/** A text as it is, then without its escapes, and so on while there are some. */
export function decodedTexts(text: string): readonly DecodedText[] {
  const levels: DecodedText[] = [{ text, startOf: (index) => index }];
  for (let last = levels[0]; last && levels.length <= maxLevels;) {
    const next = decodeOnce(last);
    if (next === last) break;
    levels.push(next);
    last = next;
  }
  return levels;
}

/** A decoded text is never longer than it was. */
function decodeOnce(level: DecodedText): DecodedText {
  const { text, startOf } = level;
  const starts = new Int32Array(text.length + 1);
  let [decoded, end] = ['', 0];
  const add = (part: string, at: number, step: 0 | 1): void => {
    const { length } = decoded;
    for (let index = 0; index < part.length; index += 1)
      starts[length + index] = startOf(at + index * step);
    decoded += part;
  };
  for (const { 0: escape, index: at } of text.matchAll(escapes)) {
    add(text.slice(end, at), end, 1);
    if (escape.length === 3) add(byteOf(escape), at, 0);
    else for (const { character, offset } of charactersOf(escape)) add(character, at + offset, 0);
    end = at + escape.length;
  }
  if (end === 0) return level;
  add(text.slice(end), end, 1);
  starts[decoded.length] = startOf(text.length);
  return { text: decoded, startOf: (index) => starts[index] ?? 0 };
}

/** A single URL-encoded byte, the only escape of three characters: texts made to block the window have many. */
function byteOf(escape: string): string {
  return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
}

/** What an escape stands for, and where each character begins: URL-encoded bytes are UTF-8 if they can be. */
function charactersOf(escape: string): { readonly character: string; readonly offset: number }[] {
  if (!escape.startsWith('%')) return [{ character: characterOf(escape), offset: 0 }];
  const bytes = Buffer.from(escape.replaceAll('%', ''), 'hex');
  const utf8 = bytes.toString('utf8');
  const encoding = utf8.includes('\u{fffd}') ? 'latin1' : 'utf8';
  let offset = 0;
  return Array.from(bytes.toString(encoding), (character) => {
    const begin = offset;
    offset += 3 * Buffer.byteLength(character, encoding);
    return { character, offset: begin };
  });
}

function characterOf(escape: string): string {
  const digits = /^(?:&#x|\\[ux])([0-9a-f]+)/i.exec(escape)?.[1];
  const decimal = /^&#(\d+)/.exec(escape)?.[1];
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  if (Number.isNaN(code)) return names.get(escape.toLowerCase()) ?? escape.slice(1);
  return code > 0x10_ff_ff ? escape : String.fromCodePoint(code);
}

function splitLast(pair: string): readonly [escape: string, character: string] {
  return [pair.slice(0, -1), pair.slice(-1)];
}
