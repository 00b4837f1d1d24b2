import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { secondMs } from '../../../base/time.ts';
import { dayCountOf } from '../../../base/timeZone.ts';
import { isSearched } from '../../../protocol/table.ts';
import type { Action, Dispatch, OpenState } from '../state/pageState.ts';
import { icon } from '../../controls/controls.ts';

type Chip = { readonly text: string; readonly remove: Action };

/** The filters that are set, each with a button that removes it. */
export function filterChips(
  state: OpenState,
  now: number,
  dispatch: Dispatch,
): TemplateResult | typeof nothing {
  const { texts } = state;
  const chips = chipsOf(state, now);
  if (chips.length === 0) return nothing;
  return html`<div class="chips" role="group" aria-label=${texts.filters}>
    ${chips.map(
      ({ text, remove }) =>
        html`<button
          class="chip"
          type="button"
          title=${texts.removeFilter(text)}
          aria-label=${texts.removeFilter(text)}
          @click=${() => dispatch(remove)}
        >
          <span>${text}</span>${icon('close')}
        </button>`,
    )}
    <button class="tool" type="button" @click=${() => dispatch({ kind: 'filtersReset' })}>
      ${texts.clear}
    </button>
  </div>`;
}

/** In the order of the buttons. */
function chipsOf(state: OpenState, now: number): readonly Chip[] {
  const { description, query, texts } = state;
  const chips = description.filters.flatMap(({ parameter, label, kind }): Chip[] => {
    const value = query.filters[parameter];
    if (kind === 'instant' || kind === 'switch' || value === undefined) return [];
    const text = texts.labelled(label, cleanText([value].flat().join(', '), 80));
    return [{ text, remove: { kind: 'filterChosen', parameter, value: '' } }];
  });
  const period = periodText(state, now);
  if (period !== '')
    chips.push({ text: period, remove: { kind: 'periodChosen', days: null, now } });
  const searchText = texts.labelled(texts.search, cleanText(query.ledger?.search ?? '', 80));
  if (isSearched(query))
    chips.push({ text: searchText, remove: { kind: 'searchChosen', text: '' } });
  return chips;
}

/** How many of the last days are chosen: null for all, undefined for other dates. */
export function chosenDays({ query, display }: OpenState, now: number): number | null | undefined {
  const { from, to } = periodOf(query.filters);
  if (from === undefined && to === undefined) return null;
  const end = to === undefined ? undefined : to + secondMs;
  return dayCountOf({ from, to: end }, now, display.zone);
}

function periodText(state: OpenState, now: number): string {
  const { query, display, texts } = state;
  const days = chosenDays(state, now);
  if (days === null) return '';
  if (days !== undefined) return texts.lastDays(days);
  const { from, to } = periodOf(query.filters);
  const shown = (epochMs: number): string => display.timeToSecond(String(epochMs));
  if (from === undefined) return texts.until(shown(to ?? 0));
  return to === undefined ? texts.since(shown(from)) : texts.fromTo(shown(from), shown(to));
}

function periodOf({ dateFrom, dateTo }: OpenState['query']['filters']) {
  const epochMs = (instant: unknown): number | undefined =>
    typeof instant === 'string' && instant !== '' ? Date.parse(instant) : undefined;
  return { from: epochMs(dateFrom), to: epochMs(dateTo) };
}
