// Opens the emulator of a command line, and reads its fixture while the engine starts.
import { statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { EmulatorConfig } from '../assembly/config.ts'
import { keptApplicationImage } from '../assembly/engine/application-image.ts'
import { type BareEmulator, openEmulator, readAhead } from '../assembly/library/emulator.ts'
import type { FixtureReport } from '../contract/fixtures.ts'
import type { Observer } from '../core/observation.ts'
import { packageFile } from '../core/package-files.ts'
import { findApplicationFolder } from '../workflow/fixtures/read/application-folder.ts'
import type { Fixture } from '../workflow/fixtures/read/fixture.ts'
import { FixtureError } from '../workflow/fixtures/read/fixture-error.ts'
import type { EmulatorOptions } from './emulator-options.ts'
import { showing } from './live-line.ts'

const DEMO_NAME = 'clinics'
const DEMO_FIXTURE = packageFile('fixtures', DEMO_NAME)

export interface OpenedWithFixture {
  readonly emulator: BareEmulator
  /** Name or folder of the fixture; `undefined` with `--fixture none`. */
  readonly fixture: string | undefined
  /**
   * Applies the fixture of `--fixture`, the application folder, or the demo. Returns `undefined` with `--fixture none`.
   * @throws {FixtureError} naming every problem
   */
  applyFixture(): Promise<FixtureReport | undefined>
  /** Makes the image from which later starts begin (application-image.ts). Absent when the image exists or cannot be made. */
  readonly makeImage: (() => Promise<void>) | undefined
}

export interface OpeningWays {
  readonly onStage?: (stage: string) => void
  /** Starts from the image of the application's steps, if an earlier run stored one in `node_modules` of the working folder. */
  readonly usesImage?: boolean
  /** What Ctrl-C leaves behind while the emulator opens. Absent: the command handles signals itself. */
  readonly afterInterrupt?: string
}

/** @throws {EmulatorError} when the emulator cannot be opened */
export async function openWithFixture(
  config: EmulatorConfig,
  { fixture = findApplicationFolder(process.cwd()) ?? DEMO_FIXTURE, seedData }: EmulatorOptions,
  observer: Observer,
  { afterInterrupt, onStage, usesImage = false }: OpeningWays = {},
): Promise<OpenedWithFixture> {
  const expectsDemo = fixture === DEMO_FIXTURE || fixture === DEMO_NAME
  const read = () => (fixture === 'none' ? undefined : readAhead(fixture, seedData))
  const early = usesImage && !expectsDemo && mayUseImage(config) ? read() : undefined
  const image = early && (await imageOf(early))
  const preparedImage = image?.path
  const opening = showing(
    'Starting the database engine',
    () => openEmulator(config, [observer], { onStage, expectsDemo, preparedImage }),
    afterInterrupt === undefined ? {} : { afterInterrupt },
  )
  const reading = early ?? read()
  // applyFixture() reports a fixture that cannot be read.
  reading?.catch(() => undefined)
  const emulator = await opening
  const name = fixture === DEMO_FIXTURE ? DEMO_NAME : fixture
  const apply = async () =>
    reading &&
    (await showing(`Applying the fixture ${name}`, async () =>
      emulator.applyFixture(await reading),
    ))
  return {
    emulator,
    fixture: fixture === 'none' ? undefined : name,
    applyFixture: () => apply().catch(withFolder(fixture)),
    makeImage: image?.make,
  }
}

/** Only the embedded engine can start from an image, and only when no seed decides its identifiers. */
function mayUseImage({ databaseUrl, deterministicSeed, engine }: EmulatorConfig): boolean {
  const isEmbedded = databaseUrl === undefined && engine !== 'postgres'
  return isEmbedded && deterministicSeed === undefined && isFolder('node_modules')
}

// Ignores a fixture that cannot be read, because applyFixture() reports it.
async function imageOf(reading: Promise<Fixture>): ReturnType<typeof keptApplicationImage> {
  return await reading
    .then((fixture) => keptApplicationImage(process.cwd(), fixture))
    .catch(() => ({ path: undefined, make: undefined }))
}

/** Adds the folder to the paths of a fixture's problems, so that they are the paths that `tenantry dev` prints. */
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
