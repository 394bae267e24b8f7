// Runs `tenantry dev`: finds the folder to follow and runs the emulator, or applies the save that waits in a running one.
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findRunning } from '../../../assembly/run-file.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { reachEmulator } from '../../../platform/http-client/running-emulator.ts'
import {
  APPLICATION_FOLDER,
  findApplicationFolder,
} from '../../../workflow/fixtures/read/application-folder.ts'
import { FIXTURE_FILE } from '../../../workflow/fixtures/read/open-fixture.ts'
import { answerClient } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import type { StartOptions } from '../start/run-emulator.ts'
import { devJson, devLines } from './follow-report.ts'

/** The parsed options of the command line, with defaults filled in. */
export type DevOptions = Omit<StartOptions, 'detach'>

/** Returns when the emulator is ready, or when a running emulator has applied the waiting save. @throws {EmulatorError} */
export async function runDev(options: DevOptions): Promise<void> {
  if (options.rebuild === true && (await rebuildRunning(options))) return
  const folder = requireDevFolder(options.fixture)
  const { runEmulator } = await import('../start/run-emulator.ts')
  await runEmulator({ ...options, fixture: 'none', detach: false }, folder)
}

/** Applies the save that waits in the running `tenantry dev` of this folder. Returns false when no emulator runs. */
async function rebuildRunning(options: DevOptions): Promise<boolean> {
  const running = findRunning(options.dataDir)
  if (running === undefined) return false
  const emulator = reachEmulator(running.url, options.adminToken, answerClient())
  const report = await emulator.call('POST /fixtures/followed/rebuild')
  const shown = { ...report, types: null, hasNewTypes: false }
  const text = options.json ? devJson(shown) : devLines(report.fixture, shown)
  terminal().stdout.write(`${text}\n`)
  return true
}

class DevError extends EmulatorError {
  override readonly code = 'no_application'
}

/** @param fixture the option `--fixture` @throws {DevError} when there is no folder with a fixture */
function requireDevFolder(fixture: string | undefined): string {
  const named = fixture?.endsWith(FIXTURE_FILE) === true ? dirname(fixture) : fixture
  const folder = named === undefined ? findApplicationFolder(process.cwd()) : resolve(named)
  if (folder !== undefined && isFile(join(folder, FIXTURE_FILE))) return folder
  throw new DevError(
    `There is no ${FIXTURE_FILE} in ${named ?? APPLICATION_FOLDER}, so there is nothing to follow.`,
    { hint: 'Make an application folder with "tenantry init".' },
  )
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
