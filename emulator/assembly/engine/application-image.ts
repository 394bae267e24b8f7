// Stores the templates that an application's migration steps build, and clones for its tenants, in an image. Later test runs
// start from the image and run no step (database/embedded/cluster/prepared-image.ts).
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { SystemClock } from '../../core/clock.ts'
import { toDate } from '../../core/time.ts'
import { version } from '../../core/version.ts'
import { describedMigrations } from '../../workflow/fixtures/read/described-projects.ts'
import type { Fixture } from '../../workflow/fixtures/read/fixture.ts'
import { readSteps } from '../../workflow/fixtures/read/fixture-steps.ts'
import { scriptsOfSteps } from '../../workflow/migrations/steps/step.ts'
import {
  buildPreparedImage,
  imageBasis,
  type PreparedTemplate,
  TemplateFailed,
} from './build-prepared-image.ts'

/** Number of images in the cache. A small application's image has about 1 MB. With 30 tables and three tenants, it has 13 MB. */
const KEPT_IMAGES = 5
/**
 * Maximum number of clones of each template in an image. Each clone makes the image larger and the first run longer. Later runs
 * clone further tenants themselves.
 */
const MOST_CLONES = 8
const ENDING = '.img'
/** Ending of the file that marks steps from which no image can be made. Later runs then do not try again. */
const UNSUITED = '.none'

export interface ApplicationImage {
  /** `undefined` when the fixture has no steps or no image can be made. Applying the fixture then runs its steps. */
  readonly path: string | undefined
  /** Why no image can be made. `undefined` when a step fails, because applying the fixture reports that failure. */
  readonly problem: string | undefined
}

const NONE: ApplicationImage = { path: undefined, problem: undefined }

/**
 * Returns an image with the fixture's steps. Makes the image when it is missing or damaged.
 * @param root the project's folder, whose `node_modules/.cache/tenantry` has the images
 */
export async function applicationImage(root: string, fixture: Fixture): Promise<ApplicationImage> {
  const wanted = await wantedImage(root, fixture)
  return wanted === undefined ? NONE : (findKept(wanted) ?? (await make(wanted)))
}

/** Like `applicationImage`, but does not make a missing image. The returned `make` makes it for later runs, and never throws. */
export async function keptApplicationImage(
  root: string,
  fixture: Fixture,
): Promise<{
  readonly path: string | undefined
  readonly make: (() => Promise<void>) | undefined
}> {
  const wanted = await wantedImage(root, fixture)
  const kept = wanted === undefined ? NONE : findKept(wanted)
  if (wanted === undefined || kept !== undefined) return { path: kept?.path, make: undefined }
  return { path: undefined, make: async () => void (await make(wanted)) }
}

interface WantedImage {
  readonly folder: string
  /** Identifies the image's content: other steps or another installation have another key. */
  readonly key: string
  readonly templates: readonly PreparedTemplate[]
}

async function wantedImage(root: string, fixture: Fixture): Promise<WantedImage | undefined> {
  const templates = describedMigrations(fixture.definition).map(({ folder, tenants }) => ({
    steps: readSteps(fixture.files, folder)?.steps ?? [],
    clones: Math.min(tenants, MOST_CLONES),
  }))
  if (templates.every(({ steps }) => steps.length === 0)) return undefined
  const scripts = templates.map(({ clones, steps }) => [clones, scriptsOfSteps(steps)])
  const key = digest(JSON.stringify([version, await imageBasis(), scripts]))
  return { folder: join(root, 'node_modules', '.cache', 'tenantry'), key, templates }
}

function findKept({ folder, key }: WantedImage): ApplicationImage | undefined {
  const mark = join(folder, key + UNSUITED)
  if (existsSync(mark)) return { path: undefined, problem: readFileSync(mark, 'utf8') || undefined }
  const path = findImage(folder, key)
  return path === undefined ? undefined : { path, problem: undefined }
}

async function make({ folder, key, templates }: WantedImage): Promise<ApplicationImage> {
  try {
    mkdirSync(folder, { recursive: true })
    const draft = join(folder, `${key}.${process.pid}.draft`)
    await buildPreparedImage(draft, templates)
    const path = join(folder, `${key}-${digest(readFileSync(draft))}${ENDING}`)
    renameSync(draft, path)
    removeOld(folder)
    return { path, problem: undefined }
  } catch (error) {
    const problem = error instanceof TemplateFailed ? undefined : messageOf(error)
    markUnsuited(folder, join(folder, key + UNSUITED), problem)
    return { path: undefined, problem }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The name of an image ends with the digest of its content. A damaged image no longer matches its name, and is removed. */
function findImage(folder: string, key: string): string | undefined {
  for (const name of namesIn(folder)) {
    if (!(name.startsWith(`${key}-`) && name.endsWith(ENDING))) continue
    const path = join(folder, name)
    if (name === `${key}-${digest(readFileSync(path))}${ENDING}`) {
      const now = toDate(new SystemClock().now())
      utimesSync(path, now, now)
      return path
    }
    rmSync(path, { force: true })
  }
  return undefined
}

function removeOld(folder: string): void {
  const ageOf = (name: string): number =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const images = namesIn(folder).toSorted((a, b) => ageOf(b) - ageOf(a))
  for (const name of images.slice(KEPT_IMAGES)) rmSync(join(folder, name), { force: true })
}

// A failure to write the mark is ignored: the next run then tries to make the image again.
function markUnsuited(folder: string, mark: string, problem = ''): void {
  try {
    writeFileSync(mark, problem)
    removeOld(folder)
  } catch {
    // The mark could not be written, or an old image could not be removed.
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}
