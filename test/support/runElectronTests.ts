import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  downloadAndUnzipVSCode,
  runTests,
  SilentReporter,
  TestRunFailedError,
} from '@vscode/test-electron';
import { projectRoot, temporaryFolder } from './project.ts';
import { PlainFailure, script } from './script.ts';
import { writeUserSettings } from './userSettings.ts';

/** `npm run test:electron`: the built host suite in desktop VS Code, on a fresh profile. */
await script(async () => {
  const vscodeExecutablePath = await desktopVsCode(process.env.VSCODE_EXECUTABLE);
  const folder = await temporaryFolder();
  try {
    return await runSuite(vscodeExecutablePath, folder.path);
  } finally {
    await folder.remove();
  }
});

async function desktopVsCode(executable: string | undefined): Promise<string> {
  if (executable === undefined) return download();
  if (existsSync(executable)) return executable;
  throw new PlainFailure(`VSCODE_EXECUTABLE names ${executable}, and there is no such file.`);
}

async function download(): Promise<string> {
  try {
    return await downloadAndUnzipVSCode({ reporter: new SilentReporter() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainFailure(
      `Desktop VS Code could not be downloaded (${reason}): name an installed one in the variable VSCODE_EXECUTABLE.`,
    );
  }
}

async function runSuite(vscodeExecutablePath: string, folder: string): Promise<number> {
  const userData = path.join(folder, 'data');
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace);
  await writeUserSettings(path.join(userData, 'User'), {});
  const profile = [
    `--user-data-dir=${userData}`,
    `--extensions-dir=${path.join(folder, 'extensions')}`,
  ];
  try {
    return await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: path.join(projectRoot, 'dist/test/host.cjs'),
      extensionTestsEnv: { ELECTRON_RUN_AS_NODE: undefined },
      launchArgs: [workspace, ...profile],
    });
  } catch (error) {
    if (error instanceof TestRunFailedError) return 1;
    throw error;
  }
}
