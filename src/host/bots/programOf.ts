const launcher =
  /^(?:python[\d.]*|py|node|deno|bun|npx|npm|uv|poetry|ruby|java|dotnet|bash|sh|zsh|pwsh|sudo|env|exec|nohup|time|run)(?:\.exe)?$/i;

/** The program or script of a command line, of several the last, without arguments: they may have secrets. */
export function programOf(commandLine: string): string {
  const command = commandLine.split(/&&|;/).findLast((part) => part.trim() !== '') ?? '';
  const words = (command.split('|')[0] ?? '').match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const names = words
    .filter((word) => !/^(?:-|\w+=|&$)/.test(word))
    .map((word) => word.replace(/^(["'])(.*)\1$/, '$2').replace(/^.*[\\/]/, ''));
  return names.find((name) => !launcher.test(name)) ?? names[0] ?? '';
}
