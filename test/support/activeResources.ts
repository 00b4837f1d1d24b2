/** What keeps this process alive, by kind and number: timers, sockets, servers, files. */
export function activeResources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo().sort())
    counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
