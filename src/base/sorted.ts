/** The index of the first item of a sorted list that does not come before a place; the length if there is none. */
export function firstIndex<Item>(
  items: readonly Item[],
  isBefore: (item: Item) => boolean,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
