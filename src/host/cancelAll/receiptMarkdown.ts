import type { DocumentTable, Label } from '../../protocol/documentTable.ts';
import type { ReceiptDocument, ReceiptStep } from '../../protocol/receipt.ts';

/** A receipt as Markdown, in which no text of the exchange becomes markup or a link. */
export function receiptMarkdown(receipt: ReceiptDocument): string {
  const { title, environment, profile, origin, sentAt, outcome, notes, timeline, tables } = receipt;
  const sentences =
    outcome.asOf === null ? outcome.sentences : [...outcome.sentences, outcome.asOf];
  const blocks = [
    `# ${escaped(`${title}: ${outcome.word}`)}`,
    escaped([environment, profile, origin, sentAt].join(' · ')),
    ...[...sentences, ...notes].map(escaped),
    `## ${escaped(timeline.title)}`,
    timeline.steps.map(stepMarkdown).join('\n'),
    ...tables.flatMap(tableMarkdown),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function stepMarkdown({ title, at, texts, checks }: ReceiptStep): string {
  const words = [...(at ? [longForm(at)] : []), ...texts].map(escaped).join(' · ');
  const lines = checks.map(
    ({ label, text }) => `  - ${escaped(`${label.text}: ${text} (${longForm(label)})`)}`,
  );
  return [`- **${escaped(title)}**${words === '' ? '' : `: ${words}`}`, ...lines].join('\n');
}

function tableMarkdown({ title, notes, columns, rows }: DocumentTable): string[] {
  const heading = [`## ${escaped(title)}`, ...notes.map(escaped)];
  if (rows.length === 0) return heading;
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    row(columns.map(({ label }) => escaped(label))),
    row(columns.map(({ isNumeric }) => (isNumeric ? '--:' : ':--'))),
    ...rows.map((cells) => row(cells.map((cell) => escaped(longForm(cell))))),
  ];
  return [...heading, lines.join('\n')];
}

function longForm({ text, detail = text }: Label): string {
  return detail;
}

/** Escapes what starts markup, a link or an address. No line begins with text of the exchange. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>()#!|~&@$]/g, '\\$&')
    .replace(/(?<=[a-z][\w+.-]*):(?=\S)/gi, '\\:')
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`);
}
