import type { CopyFormat } from '../../protocol/gridMessages.ts';
import { commands } from '../contributions.ts';
import type { TablePanels } from './tablePanels.ts';

/** The commands in the context menu of a cell. The page knows which cells are selected. */
export function gridCommandHandlers(panels: TablePanels) {
  const copy =
    (format: CopyFormat, isRows = false) =>
    (): void =>
      panels.runInActive({ kind: 'copy', format, isRows });
  return {
    [commands.copyCells]: copy('tsv'),
    [commands.copyCellsWithHeaders]: copy('tsvWithHeaders'),
    [commands.copyGridRow]: copy('tsv', true),
    [commands.copyCellsAsJson]: copy('json', true),
    [commands.copyCellsAsMarkdown]: copy('markdown'),
    [commands.filterByValue]: () => panels.runInActive({ kind: 'filter' }),
    [commands.openTradesOfOrder]: () => panels.runInActive({ kind: 'openTrades' }),
    [commands.showRowDetails]: () => panels.runInActive({ kind: 'showDetails' }),
  };
}
