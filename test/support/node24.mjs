/** Every script starts here: they need the Node 24 that `npm ci` installs and npm puts first on the PATH. */
const major = Number(process.versions.node.split('.')[0]);

if (major < 24) {
  console.error(
    `Margin Desk's scripts need Node 24 and this is Node ${process.versions.node}: ` +
      'run `npm rebuild node` (its install script was skipped) and start them through npm.',
  );
  process.exit(1);
}
