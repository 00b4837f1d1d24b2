const launcher =
  /^(?:python[\d.]*|py|node|deno|bun|npx|npm|uv|poetry|pipenv|conda|ruby|java|dotnet|bash|sh|zsh|pwsh|sudo|env|exec|nohup|time|run)(?:\.exe)?$/i;

const script = /\.(?:py|[cm]?[jt]s|rb|jar|sh|ps1|exe)$/i;
const inlineCode = /^-(?:c|e)$|^--eval$/;

/**
 * The program or script of a command line, of several the last, without arguments: they may have secrets. What follows
 * an option may be its value, unless it is a script or a module.
 */
export function programOf(commandLine: string): string {
  const commands = commandLine.match(/(?:"[^"]*"|'[^']*'|[^;&"']|&(?!&)|["'])+/g) ?? [];
  const command = commands.findLast((part) => part.trim() !== '') ?? '';
  const words = (command.split('|')[0] ?? '').match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const names = words
    .map((word) => word.replace(/^&|&$/g, '').replace(/^(["'])(.*)\1$/, '$2'))
    .filter((word) => word !== '' && !/^\w+=/.test(word))
    .map((word) => (isOption(word) ? word : word.replace(/^.*[\\/]/, '')));
  const isProgram = (name: string, index: number): boolean => {
    const before = names[index - 1] ?? '';
    const mayBeValue = isOption(before) && before !== '-m' && !script.test(name);
    return !isOption(name) && !launcher.test(name) && !mayBeValue;
  };
  const first = names.find((name) => !isOption(name)) ?? '';
  const hasCode = launcher.test(first) && names.some((name) => inlineCode.test(name));
  return (hasCode ? undefined : names.find(isProgram)) ?? first;
}

/**
 * The program of a bot, if it is what ended: VS Code may correct a command line after it started. Any is, if that of the
 * bot is not known.
 */
export function endedProgram(
  known: string | null,
  ended: string,
  started: string | undefined,
): string | undefined {
  if (known === null) return ended;
  return known === ended || known === started ? known : undefined;
}

function isOption(word: string): boolean {
  return word.startsWith('-');
}
