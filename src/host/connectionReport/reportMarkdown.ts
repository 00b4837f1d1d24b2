import { withAsciiMinus } from '../../base/display.ts';
import type { ConventionRow, ReportDocument } from '../../protocol/connectionReport.ts';
import { escapedMarkdown } from '../text/messageText.ts';
import { pageAccountText } from '../text/pageAccount.ts';

/** A report as Markdown, in which no text of the exchange becomes markup or a link. */
export function reportMarkdown(report: ReportDocument): string {
  const { title, account, writtenAt, notes } = report;
  const { checklist, conventions, details } = report;
  const items = [...checklist.items, ...details.items];
  const blocks = [
    `# ${escapedMarkdown(title)}`,
    escapedMarkdown(`${pageAccountText(account)} · ${writtenAt}`),
    ...notes.map(escapedMarkdown),
    items.map(itemMarkdown).join('\n'),
    `## ${escapedMarkdown(conventions.title)}`,
    tableMarkdown(conventions),
    ...conventions.rows.flatMap(requestsMarkdown),
  ];
  return withAsciiMinus(`${blocks.join('\n\n')}\n`);
}

function itemMarkdown({ label, texts }: { label: string; texts: readonly string[] }): string {
  return `- **${escapedMarkdown(label)}**: ${texts.map(escapedMarkdown).join(' · ')}`;
}

function tableMarkdown({ columns, rows }: ReportDocument['conventions']): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map(escapedMarkdown).join(' | ')} |`;
  const [convention, value, proof, evidence] = columns;
  return [
    line([convention, value, proof, evidence]),
    '| :-- | :-- | :-- | :-- |',
    ...rows.map((row) =>
      line([
        `${row.label} (${row.key})`,
        row.value,
        [row.proof.word, ...row.proof.texts].join(' · '),
        row.evidence.conclusion,
      ]),
    ),
  ].join('\n');
}

function requestsMarkdown({ label, evidence }: ConventionRow): string[] {
  if (evidence.requests.length === 0) return [];
  const requests = evidence.requests.map(
    ({ asked, answered }) => `- ${escapedMarkdown(`${asked} → ${answered}`)}`,
  );
  return [`### ${escapedMarkdown(label)}`, requests.join('\n')];
}
