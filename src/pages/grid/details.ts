import type { Display } from '../../base/display.ts';
import type { RowOfPage } from '../../protocol/gridMessages.ts';
import type { RelatedRecords, RowDetails } from '../../protocol/table.ts';

/** What a request returned, or why it failed. While it runs, what the one before it returned. */
export type Answer<Value> =
  | { readonly kind: 'loading'; readonly earlier?: Value | undefined }
  | { readonly kind: 'loaded'; readonly value: Value }
  | { readonly kind: 'failed'; readonly sentence: string };

/** The details of one row, masked for `display`. They are never shown for another display. */
export type DetailsState = {
  readonly row: RowOfPage;
  readonly display: Display;
  readonly details: Answer<RowDetails>;
  /** Null until it is requested. */
  readonly related: Answer<RelatedRecords> | null;
};

export type DetailsAction =
  | { readonly kind: 'detailsRequested'; readonly row: RowOfPage; readonly display: Display }
  | { readonly kind: 'relatedRequested' }
  /** An answer that belongs to `of`. */
  | {
      readonly kind: 'detailsAnswered';
      readonly of: DetailsState;
      readonly answer: Partial<Pick<DetailsState, 'details' | 'related'>>;
    };

export function reduceDetails(
  state: DetailsState | null,
  action: DetailsAction,
): DetailsState | null {
  if (action.kind === 'detailsRequested') {
    const { row, display } = action;
    const earlier = state?.display === display ? fieldsOf(state) : undefined;
    return { row, display, details: { kind: 'loading', earlier }, related: null };
  }
  if (!state) return null;
  if (action.kind === 'relatedRequested') return { ...state, related: { kind: 'loading' } };
  return areSame(state, action.of) ? { ...state, ...action.answer } : state;
}

/** The fields that were received last, of this row or of the one before it. */
export function fieldsOf({ details }: DetailsState): RowDetails | undefined {
  if (details.kind === 'loaded') return details.value;
  return details.kind === 'loading' ? details.earlier : undefined;
}

/** Whether both are of the same row, and masked alike. */
export function areSame(
  one: Pick<DetailsState, 'row' | 'display'> | null,
  other: Pick<DetailsState, 'row' | 'display'> | null,
): boolean {
  if (!one || !other) return one === other;
  const isSameRow = one.row.pageId === other.row.pageId && one.row.row === other.row.row;
  return isSameRow && one.display === other.display;
}
