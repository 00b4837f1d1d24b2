import {
  columnLayoutSchema,
  copyRequestSchema,
  fieldCopySchema,
  type ColumnLayout,
  type FieldCopy,
  type GridMethods,
} from '../../protocol/gridMessages.ts';
import type { Handlers } from '../../protocol/rpcServer.ts';
import type { Column } from '../../protocol/table.ts';
import { logRejection } from '../shared/log.ts';
import type { StoredValue } from '../shared/storedValue.ts';
import { copyCells, copyField, type CellCopyingOptions } from './cellCopying.ts';

type GridRequestsOptions = CellCopyingOptions & {
  readonly columns: () => readonly Column[];
  /** What a page has, with every figure as it is; undefined if that has changed. */
  readonly records: (pageId: number) => readonly object[] | undefined;
  /** What was found for a row, if a field of that is copied. */
  readonly related?: (request: FieldCopy) => RelatedRecord | undefined;
  readonly layout: Pick<StoredValue<ColumnLayout>, 'set'>;
  readonly onLayout?: () => void;
};

type RelatedRecord = {
  readonly record: object | undefined;
  readonly columns: readonly Column[];
};

/** Serves the requests of a page about its grid. */
export function gridRequests(options: GridRequestsOptions): Handlers<GridMethods> {
  const { columns, records, related, layout, onLayout, log } = options;
  return {
    'grid/copy': {
      params: copyRequestSchema,
      run: (request) => copyCells(request, columns(), records(request.selection.pageId), options),
    },
    'grid/copyField': {
      params: fieldCopySchema,
      run: (request) => {
        const row = { record: records(request.pageId)?.[request.row], columns: columns() };
        const copied = request.related ? related?.(request) : row;
        copyField(request, copied?.columns ?? [], copied?.record, options);
      },
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
