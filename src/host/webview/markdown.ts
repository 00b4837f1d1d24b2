import * as vscode from 'vscode';
import { withAsciiMinus } from '../../base/display.ts';
import type {
  Block,
  Cell,
  Document,
  DocumentTable,
  Label,
  Section,
} from '../../protocol/document.ts';
import { rowsMarkdown } from '../../protocol/copiedText.ts';
import { t } from '../shared/translate.ts';
import { escapedMarkdown, pageAccountText } from '../text/messageText.ts';
import type { Live } from './documentPanel.ts';

/** Puts a document into the clipboard; returns the word that says so. */
export async function copyMarkdown(document: Live<Document>): Promise<string> {
  await vscode.env.clipboard.writeText(documentMarkdown(document));
  return t('Copied');
}

/** A document as Markdown, in which no text of the exchange becomes markup or a link. */
export function documentMarkdown({
  title,
  account,
  time,
  notes,
  sections,
}: Live<Document>): string {
  const owner = account ? [pageAccountText(account)] : [];
  const parts = [
    `# ${escapedMarkdown(title)}`,
    escapedMarkdown([...owner, ...(time ? [longForm(time)] : [])].join(' · ')),
    ...notes.map(escapedMarkdown),
    ...sections.flatMap(sectionMarkdown),
  ];
  return withAsciiMinus(`${parts.filter((part) => part !== '').join('\n\n')}\n`);
}

function sectionMarkdown({ title, notes, blocks }: Live<Section>): string[] {
  return [
    title === '' ? '' : `## ${escapedMarkdown(title)}`,
    ...notes.map(escapedMarkdown),
    ...blocks.flatMap(blockMarkdown),
  ];
}

function blockMarkdown(block: Live<Block>): string[] {
  switch (block.kind) {
    case 'notice': {
      const { outcome, texts, asOf } = block;
      const word = outcome ? [`**${escapedMarkdown(outcome.word)}**`] : [];
      return [...word, ...[...texts, ...(asOf === undefined ? [] : [asOf])].map(escapedMarkdown)];
    }
    case 'coverage':
      return [escapedMarkdown(block.text), list(block.gaps.map((gap) => item('', [gap])))];
    case 'cards':
      return [
        list(
          block.cards.map(({ label, incomplete = null, lines, notes }) =>
            item(label, [
              ...(incomplete === null ? [] : [incomplete]),
              ...lines.map(longForm),
              ...notes,
            ]),
          ),
        ),
      ];
    case 'details':
      return [list(block.items.map(({ label, texts }) => item(label, texts)))];
    case 'table':
      return tableMarkdown(block);
    case 'grid':
      return [rowsMarkdown(block.rows)];
    case 'chart':
      return [list([item(block.title, [block.incomplete ?? '', block.summary, ...block.notes])])];
    case 'timeline':
      return [
        list(
          block.steps.flatMap(({ title, at, texts, checks }) => [
            item(title, [...(at ? [longForm(at)] : []), ...texts]),
            ...checks.map(
              ({ label, text }) => `  ${item('', [`${label.text}: ${text} (${longForm(label)})`])}`,
            ),
          ]),
        ),
      ];
    case 'map':
      return [
        list(
          block.lines.flatMap(({ label, summary, gaps }) => [
            item(label, [summary]),
            ...gaps.map((gap) => `  ${item('', [gap])}`),
          ]),
        ),
      ];
    case 'calendar':
      return [list(block.months.map(({ title, sum }) => item(title, [longForm(sum)])))];
    case 'checklist':
      return block.items.flatMap(({ label, word = '', figure, texts, findings, table }) => [
        list([
          item(label, [word, figure ? `${figure.label}: ${figure.text}` : '', ...texts]),
          ...(findings?.list ?? []).flatMap(({ title, notes, rows }) => [
            `  ${item(title, notes)}`,
            ...rows.map(({ text }) => `    ${item('', [text])}`),
          ]),
        ]),
        ...(table ? [`### ${escapedMarkdown(table.title)}`, ...tableMarkdown(table)] : []),
      ]);
  }
}

function tableMarkdown({ notes, columns, rows }: Live<Omit<DocumentTable, 'title'>>): string[] {
  const cells = rows.map((row) =>
    row.map((cell) => escapedMarkdown([longForm(cell), ...(cell.notes ?? [])].join(' · '))),
  );
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const header = [
    line(columns.map(({ label }) => escapedMarkdown(label))),
    line(columns.map(({ isNumeric }) => (isNumeric ? '--:' : ':--'))),
  ];
  return [
    ...notes.map(escapedMarkdown),
    cells.length === 0 ? '' : list([...header, ...cells.map(line)]),
    ...rows.flatMap(moreMarkdown),
  ];
}

/** What is folded in the cells of a row, under the text of its first cell. */
function moreMarkdown(row: readonly Live<Cell>[]): string[] {
  const items = row.flatMap(({ more }) => more?.items ?? []);
  if (items.length === 0) return [];
  return [
    `### ${escapedMarkdown(row[0]?.text ?? '')}`,
    list(items.map((texts) => item('', [texts.join(' → ')]))),
  ];
}

function list(items: readonly string[]): string {
  return items.join('\n');
}

function item(label: string, texts: readonly string[]): string {
  const words = texts
    .filter((text) => text !== '')
    .map(escapedMarkdown)
    .join(' · ');
  if (label === '') return `- ${words}`;
  return `- **${escapedMarkdown(label)}**${words === '' ? '' : `: ${words}`}`;
}

function longForm({ text, detail = text }: Label): string {
  return detail;
}
