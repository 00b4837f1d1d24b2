const dayMs = 86_400_000;
const shorterDays = [180, 90, 30, 7] as const;

/**
 * How many days may be asked at once, when a range of this length was refused: the longest of the
 * usual bounds that is `accepted`. Undefined when not even a day is: then it was not for its length.
 */
export async function findRangeDays(
  refusedMs: number,
  accepted: (days: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (refusedMs <= dayMs || !(await accepted(1))) return undefined;
  for (const days of shorterDays)
    if (days * dayMs < refusedMs && (await accepted(days))) return days;
  return 1;
}
