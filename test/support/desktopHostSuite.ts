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
import { PlainFailure } from './script.ts';
import { writeUserSettings } from './userSettings.ts';

/** Runs a suite in desktop VS Code on a fresh profile; gives its exit code. */
export async function runDesktopSuite(suite: string, env: NodeJS.ProcessEnv): Promise<number> {
  const vscodeExecutablePath = await desktopVsCode(process.env.VSCODE_EXECUTABLE);
  const folder = await temporaryFolder();
  const userData = path.join(folder.path, 'data');
  const workspace = path.join(folder.path, 'workspace');
  try {
    await mkdir(workspace);
    await writeUserSettings(path.join(userData, 'User'), {});
    const extensions = path.join(folder.path, 'extensions');
    return await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: suite,
      extensionTestsEnv: { ...env, ELECTRON_RUN_AS_NODE: undefined },
      launchArgs: [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`],
    });
  } catch (error) {
    if (error instanceof TestRunFailedError) return 1;
    throw error;
  } finally {
    await folder.remove();
  }
}

async function desktopVsCode(executable: string | undefined): Promise<string> {
  if (executable !== undefined) {
    if (existsSync(executable)) return executable;
    throw new PlainFailure(`VSCODE_EXECUTABLE names ${executable}, and there is no such file.`);
  }
  try {
    return await downloadAndUnzipVSCode({ reporter: new SilentReporter() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainFailure(
      `Desktop VS Code could not be downloaded (${reason}): name an installed one in the variable VSCODE_EXECUTABLE.`,
    );
  }
}
