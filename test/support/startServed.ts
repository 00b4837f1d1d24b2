import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { PlainFailure } from './script.ts';
import { practiceWindow, type StartSession } from './startSession.ts';
import { installVsix, startServer, type VsCodeServer } from './vscodeServer.ts';
import { packagedVsix } from './vsix.ts';

/** Serves a VS Code that has the packaged extension and prints its address; fails should its server end. */
export async function openServed(session: StartSession): Promise<never> {
  const { server, address } = await startServed(session);
  console.log(`VS Code with Margin Desk is at\n\n  ${address}\n\nPress Ctrl+C to stop.`);
  openInBrowser(address);
  await server.ended;
  throw new PlainFailure("VS Code's server stopped unexpectedly.");
}

/** The practice window is a built-in extension: the server loads one under development only when it runs tests. */
export async function startServed({
  folder,
  workspace,
  settings,
  endings,
}: StartSession): Promise<{ readonly server: VsCodeServer; readonly address: string }> {
  const token = randomBytes(24).toString('hex');
  const options = { dataDir: path.join(folder, 'served'), settings };
  await installVsix(await packagedVsix(), options);
  const server = await startServer({ ...options, token, besideBuiltIn: practiceWindow });
  endings.push(() => server.stop());
  const query = new URLSearchParams({ tkn: token, folder: workspace });
  return { server, address: `${server.url}/?${query.toString()}` };
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
