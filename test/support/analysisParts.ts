import assert from 'node:assert/strict';
import * as v from 'valibot';
import { analysisDocument, type AnalysisState } from '../../src/host/analysis/document.ts';
import { firstChoices } from '../../src/host/analysis/choices.ts';
import type { LiveDocument } from '../../src/host/webview/documentPanel.ts';
import {
  documentSchema,
  type Block,
  type Document,
  type Section,
} from '../../src/protocol/document.ts';
import { aDisplay } from './display.ts';
import { defaultLayout } from '../../src/protocol/values.ts';

type Shown = Partial<Parameters<typeof analysisDocument>[1]>;

/** The page of an analysis. */
export function documentOf(state: AnalysisState, shown: Shown = {}): LiveDocument {
  return analysisDocument(state, {
    ...{ choices: firstChoices, layout: defaultLayout, display: aDisplay() },
    ...{ fill: () => undefined, showStored: () => undefined, showPeriod: () => undefined },
    ...{ showPosition: () => undefined, exportAnalysis: () => undefined },
    ...shown,
  });
}

/** As a page reads it. */
export function readDocument(document: LiveDocument): Document {
  return v.parse(documentSchema, document);
}

function blocksOf<Kind extends Block['kind']>({ blocks }: Section, kind: Kind) {
  const isOfKind = (block: Block): block is Extract<Block, { kind: Kind }> => block.kind === kind;
  return blocks.filter(isOfKind);
}

/** What an analysis shows of its view, and of the numbers below it. */
export function analysisParts({ sections }: Document) {
  const [view, ...below] = sections;
  if (!view) assert.fail('no view');
  return {
    notes: view.notes,
    coverage: blocksOf(view, 'coverage')[0],
    empty: blocksOf(view, 'notice')[0],
    charts: blocksOf(view, 'chart'),
    tables: below.flatMap((section) => blocksOf(section, 'table')),
    grid: sections.flatMap((section) => blocksOf(section, 'grid'))[0],
    numbers: below
      .filter((section) => blocksOf(section, 'table').length === 0)
      .map((section) => ({
        title: section.title,
        notes: section.notes,
        coverage: blocksOf(section, 'coverage')[0],
        cards: blocksOf(section, 'cards').flatMap(({ cards }) => cards),
      })),
  };
}
export type AnalysisParts = ReturnType<typeof analysisParts>;
