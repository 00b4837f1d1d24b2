import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../test/support/project.ts';
import { pageScript, tablePage, type PageParts } from '../test/support/tableInBrowser.ts';

/** A page with a grid, and what the bench has to know to use it. */
export type GridPage = PageParts & {
  readonly name: string;
  /** The element that scrolls the rows. */
  readonly scroller: string;
  /** Whether it shows the sums of the selected cells. */
  readonly hasSums: boolean;
};

const gridRoom = '#peer { position: absolute; inset: 32px 0 30px; } button { position: absolute; }';

/** Our page, and one in which another library draws the same rows, which makes HTML from text without Trusted Types. */
export async function gridPages(): Promise<readonly GridPage[]> {
  const ours = await tablePage();
  const pageStyle = await readFile(path.join(projectRoot, 'media/page.css'), 'utf8');
  const tabulatorStyle = await readFile(
    path.join(projectRoot, 'node_modules/tabulator-tables/dist/css/tabulator_midnight.min.css'),
    'utf8',
  );
  const style = `${pageStyle}\n${gridRoom}`;
  return [
    { ...ours, name: 'Margin Desk', scroller: 'margin-grid', hasSums: true },
    {
      name: 'Tabulator',
      script: await pageScript('bench/pages/tabulatorPage.ts'),
      style: `${tabulatorStyle}\n${style}`,
      policy: ours.policy.replace(/; require-trusted-types-for.*/, ''),
      scroller: '.tabulator-tableholder',
      hasSums: false,
    },
  ];
}
