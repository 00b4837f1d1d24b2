/** Escapes what starts markup, a link or an address. No line begins with text of the exchange. */
export function escapedMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>()#!|~&@$]/g, '\\$&')
    .replace(/(?<=[a-z][\w+.-]*):(?=\S)/gi, '\\:')
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`);
}
