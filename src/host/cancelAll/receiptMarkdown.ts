import { withAsciiMinus } from '../../base/display.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';
import type { ReceiptDocument, ReceiptStep } from '../../protocol/receipt.ts';
import { escapedMarkdown } from '../text/messageText.ts';
import { pageAccountText } from '../text/pageAccount.ts';

/** A receipt as Markdown, in which no text of the exchange becomes markup or a link. */
export function receiptMarkdown(receipt: ReceiptDocument): string {
  const { title, account, sentAt, outcome, notes, timeline, tables } = receipt;
  const sentences =
    outcome.asOf === null ? outcome.sentences : [...outcome.sentences, outcome.asOf];
  const blocks = [
    `# ${escapedMarkdown(`${title}: ${outcome.word}`)}`,
    escapedMarkdown(`${pageAccountText(account)} · ${sentAt}`),
    ...[...sentences, ...notes].map(escapedMarkdown),
    `## ${escapedMarkdown(timeline.title)}`,
    timeline.steps.map(stepMarkdown).join('\n'),
    ...tables.flatMap(tableMarkdown),
  ];
  return withAsciiMinus(`${blocks.join('\n\n')}\n`);
}

function stepMarkdown({ title, at, texts, checks }: ReceiptStep): string {
  const words = [...(at ? [longForm(at)] : []), ...texts].map(escapedMarkdown).join(' · ');
  const lines = checks.map(
    ({ label, text }) => `  - ${escapedMarkdown(`${label.text}: ${text} (${longForm(label)})`)}`,
  );
  return [`- **${escapedMarkdown(title)}**${words === '' ? '' : `: ${words}`}`, ...lines].join(
    '\n',
  );
}

function tableMarkdown({ title, notes, columns, rows }: DocumentTable): string[] {
  const heading = [`## ${escapedMarkdown(title)}`, ...notes.map(escapedMarkdown)];
  if (rows.length === 0) return heading;
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    row(columns.map(({ label }) => escapedMarkdown(label))),
    row(columns.map(({ isNumeric }) => (isNumeric ? '--:' : ':--'))),
    ...rows.map((cells) => row(cells.map((cell) => escapedMarkdown(longForm(cell))))),
  ];
  return [...heading, lines.join('\n')];
}

function longForm({ text, detail = text }: Label): string {
  return detail;
}
