import assert from 'node:assert/strict';
import type { Block, Document, OpenedDocument } from '../../src/protocol/document.ts';
import type { FakePanel } from './fakePanel.ts';

/** What the page of a document asks for when it opens. */
export async function openedIn(panel: FakePanel): Promise<OpenedDocument> {
  return (await panel.ask('document/open', null)).body as OpenedDocument;
}

/** The document alone. */
export async function documentIn(panel: FakePanel): Promise<Document> {
  return (await openedIn(panel)).document;
}

/** What the host sent to the page since. */
export function changesIn({ posted }: FakePanel): Document[] {
  return posted
    .filter(({ name }) => name === 'document/changed')
    .map(({ body }) => body as Document);
}

/** As if the user pressed a button of the page. */
export function pressIn(panel: FakePanel, action: string, at: readonly number[] = []) {
  return panel.ask('document/press', { action, at });
}

type Blocks<Part> = { readonly sections: readonly { readonly blocks: readonly Part[] }[] };

/** The first block of a kind in a document. */
export function blockOf<Part extends { readonly kind: Block['kind'] }, Kind extends Part['kind']>(
  { sections }: Blocks<Part>,
  kind: Kind,
): Extract<Part, { readonly kind: Kind }> {
  const isOfKind = (block: Part): block is Extract<Part, { readonly kind: Kind }> =>
    block.kind === kind;
  return (
    sections.flatMap(({ blocks }) => blocks).find(isOfKind) ?? assert.fail(`no block: ${kind}`)
  );
}

/** The blocks of one kind in a document, in their order. */
export function blocksOf<Kind extends Block['kind']>(
  { sections }: { readonly sections: readonly { readonly blocks: readonly unknown[] }[] },
  kind: Kind,
): Extract<Block, { kind: Kind }>[] {
  const blocks = sections.flatMap((section) => section.blocks as readonly Block[]);
  return blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);
}
