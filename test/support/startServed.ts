import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { PlainFailure } from './script.ts';
import { practiceWindow, type StartSession } from './startSession.ts';
import { installVsix, startServer } from './vscodeServer.ts';
import { packagedVsix } from './vsix.ts';

/** Serves a VS Code that has the packaged extension and prints its address; fails should its server end. */
export async function openServed(session: StartSession): Promise<never> {
  const token = randomBytes(24).toString('hex');
  const options = { dataDir: path.join(session.folder, 'served'), settings: session.settings };
  await installVsix(await packagedVsix(), options);
  const server = await startServer({ ...options, token });
  session.endings.push(() => server.stop());
  const beside = `vscode-remote://${new URL(server.url).host}${practiceWindow}`;
  const payload = JSON.stringify([['extensionDevelopmentPath', beside]]);
  const query = new URLSearchParams({ tkn: token, folder: session.workspace, payload });
  const address = `${server.url}/?${query.toString()}`;
  console.log(`VS Code with Margin Desk is at\n\n  ${address}\n\nPress Ctrl+C to stop.`);
  openInBrowser(address);
  await server.ended;
  throw new PlainFailure("VS Code's server stopped unexpectedly.");
}

/** Opens the address if there is a desktop to open it on; otherwise use the printed address. */
function openInBrowser(address: string): void {
  const [command, ...args] = opener(address);
  if (command === undefined) return;
  const child = spawn(command, args, {
    stdio: 'ignore',
    detached: true,
    windowsVerbatimArguments: true,
  });
  child.once('error', () => undefined);
  child.unref();
}

function opener(address: string): string[] {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '""', `"${address}"`];
  return (DISPLAY ?? WAYLAND_DISPLAY) ? ['xdg-open', address] : [];
}
