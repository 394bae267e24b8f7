// Finds the folder that `tenantry dev` follows.
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EmulatorError } from '../../../core/errors.ts'
import {
  APPLICATION_FOLDER,
  findApplicationFolder,
} from '../../../workflow/fixtures/read/application-folder.ts'
import { FIXTURE_FILE } from '../../../workflow/fixtures/read/open-fixture.ts'

class DevError extends EmulatorError {
  override readonly code = 'no_application'
}

/** @param fixture the option `--fixture` @throws {DevError} when there is no folder with a fixture */
export function requireDevFolder(fixture: string | undefined): string {
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
