/** Reaches the extension host: the names of the host tests to run, in order, separated by commas. */
export const choiceVariable = 'MARGIN_DESK_HOST_TESTS';

/** The chosen ones of all host tests, each with its name; all of them if nothing was chosen. */
export function chosenTests<Test>(all: Readonly<Record<string, Test>>): [string, Test][] {
  const choice = process.env[choiceVariable];
  if (!choice) return Object.entries(all);
  return choice.split(',').map((name) => {
    const test = all[name];
    if (!test) throw new Error(`There is no host test "${name}".`);
    return [name, test];
  });
}
