// Opens the emulator of a command line, and reads its fixture while the engine starts.
import { statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { EmulatorConfig } from '../assembly/config.ts'
import { type BareEmulator, openEmulator, readAhead } from '../assembly/library/emulator.ts'
import type { FixtureReport } from '../contract/fixtures.ts'
import type { Observer } from '../core/observation.ts'
import { packageFile } from '../core/package-files.ts'
import { findApplicationFolder } from '../workflow/fixtures/read/application-folder.ts'
import { FixtureError } from '../workflow/fixtures/read/fixture-error.ts'
import type { EmulatorOptions } from './emulator-options.ts'

const DEMO_NAME = 'clinics'
const DEMO_FIXTURE = packageFile('fixtures', DEMO_NAME)

export interface OpenedWithFixture {
  readonly emulator: BareEmulator
  /** Name or folder of the fixture; `undefined` with `--fixture none`. */
  readonly fixture: string | undefined
  /** Applies the fixture of `--fixture`, the application folder, or the demo. Returns nothing with `--fixture none`. @throws {FixtureError} naming every problem */
  applyFixture(): Promise<FixtureReport | undefined>
}

/** @throws {EmulatorError} when the emulator cannot be opened */
export async function openWithFixture(
  config: EmulatorConfig,
  { fixture = findApplicationFolder(process.cwd()) ?? DEMO_FIXTURE, seedData }: EmulatorOptions,
  observer: Observer,
  onStage?: (stage: string) => void,
): Promise<OpenedWithFixture> {
  const opening = openEmulator(config, [observer], {
    onStage,
    expectsDemo: fixture === DEMO_FIXTURE || fixture === DEMO_NAME,
  })
  const reading = fixture === 'none' ? undefined : readAhead(fixture, seedData)
  // applyFixture() reports a fixture that cannot be read.
  reading?.catch(() => undefined)
  const emulator = await opening
  const apply = async () => reading && (await emulator.applyFixture(await reading))
  return {
    emulator,
    fixture: fixture === DEMO_FIXTURE ? DEMO_NAME : fixture === 'none' ? undefined : fixture,
    applyFixture: () => apply().catch(withFolder(fixture)),
  }
}

/** Gives problems of a fixture's folder the paths that `tenantry dev` prints. */
function withFolder(fixture: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof FixtureError && isFolder(fixture))) throw error
    const folder = relative(process.cwd(), resolve(fixture)) || '.'
    throw new FixtureError(
      error.problems.map((problem) => ({
        ...problem,
        file: isAbsolute(problem.file) ? problem.file : join(folder, problem.file),
      })),
    )
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
