import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { webviewFrame } from './webview.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Finding = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/** What axe-core finds wrong with the panel in front: a rule, the first element that breaks it, and how. */
export async function findingsIn(page: Page): Promise<string[]> {
  return findingsInFrame(await webviewFrame(page));
}

/** The same of a document. */
export async function findingsInFrame(frame: Frame): Promise<string[]> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await frame.evaluate(await readFile(file, 'utf8'));
  const run = `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then((r) => r.violations)`;
  const findings: readonly Finding[] = await frame.evaluate(run);
  return findings.map(
    ({ id, nodes: [first] }) => `${id}: ${first?.html ?? ''} ${first?.failureSummary ?? ''}`,
  );
}
