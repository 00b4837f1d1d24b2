import assert from 'node:assert/strict';
import type { Block } from '../../src/protocol/document.ts';

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
