import {
  columnLayoutSchema,
  copyRequestSchema,
  fieldCopySchema,
  type ColumnLayout,
  type GridMethods,
} from '../../protocol/gridMessages.ts';
import type { Handlers } from '../../protocol/rpcServer.ts';
import type { Column } from '../../protocol/table.ts';
import type { GridTextName } from '../../protocol/texts.ts';
import { logRejection } from '../shared/log.ts';
import type { StoredValue } from '../shared/storedValue.ts';
import { CellCopying, type CellCopyingOptions } from './cellCopying.ts';
import { cellsOf } from './recordCells.ts';

type GridRequestsOptions = CellCopyingOptions & {
  readonly columns: () => readonly Column[];
  /** What a page has, with every figure as it is; undefined if that has changed. */
  readonly records: (pageId: number) => readonly object[] | undefined;
  readonly layout: Pick<StoredValue<ColumnLayout>, 'set'>;
  readonly onLayout?: () => void;
};

/** What the host knows of the grid of a document. */
export type DocumentGrid = Pick<GridRequestsOptions, 'columns' | 'records' | 'layout'> & {
  /** Names it for the menus of VS Code. */
  readonly name: string;
  readonly texts?: Partial<Record<GridTextName, string>>;
};

/** Serves the requests of a document about its grid. */
export function gridRequests(options: GridRequestsOptions): Handlers<GridMethods> {
  const { columns, records, layout, onLayout, log } = options;
  const copying = new CellCopying(options);
  return {
    'grid/copy': {
      params: copyRequestSchema,
      run: (request) => {
        const all = columns();
        const found = records(request.selection.pageId);
        copying.copyCells(
          request,
          all,
          found?.map((record) => cellsOf(record, all)),
        );
      },
    },
    'grid/copyField': {
      params: fieldCopySchema,
      run: (request) =>
        copying.copyField(records(request.pageId)?.[request.row], request, columns()),
    },
    'grid/layout': {
      params: columnLayoutSchema,
      run: (chosen) => {
        logRejection(log, 'keeping a column layout', layout.set(chosen));
        onLayout?.();
      },
    },
  };
}
