/** The usual limits below the largest page that is asked for. */
export const pageSizesToTry = [100, 50, 20] as const;

/**
 * Finds how many rows a page may have after one of `asked` rows was refused: the largest of the usual limits that
 * is accepted. Undefined if the size was not the reason: the smallest page is refused too, or the asked one
 * is accepted now. Sends four requests at most.
 */
export async function findPageSizeLimit(
  asked: number,
  isAccepted: (size: number) => Promise<boolean>,
): Promise<number | undefined> {
  const sizes = pageSizesToTry.filter((size) => size < asked);
  const smallest = sizes.at(-1);
  if (smallest === undefined || !(await isAccepted(smallest))) return undefined;
  for (const size of [asked, ...sizes.slice(0, -1)])
    if (await isAccepted(size)) return size === asked ? undefined : size;
  return smallest;
}
