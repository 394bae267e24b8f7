// Keeps the templates of an application, as its migration steps build them, and clones for its tenants, between test runs. A later
// run starts from the image and runs no step (database/embedded/cluster/prepared-image.ts).
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

/** Number of images that stay. An image of a small application has about 1 MB, and one of 30 tables and three tenants 13 MB. */
const KEPT_IMAGES = 5
/** The image grows with each clone, and the first run makes it. Further tenants are cloned in each run. */
const MOST_CLONES = 8
const ENDING = '.img'
/** Marks steps that no image can hold, so that no run tries again. */
const UNSUITED = '.none'

export interface ApplicationImage {
  /** `undefined` when the fixture has no steps, and when no image can be made: applying the fixture then runs the steps. */
  readonly path: string | undefined
  /** Why no image can be made. `undefined` when a step fails, because applying the fixture reports that. */
  readonly problem: string | undefined
}

const NONE: ApplicationImage = { path: undefined, problem: undefined }

/**
 * Returns an image with the fixture's steps. Makes it when it is missing or damaged.
 * @param root the project's folder, whose `node_modules/.cache/tenantry` has the images
 */
export async function applicationImage(root: string, fixture: Fixture): Promise<ApplicationImage> {
  const wanted = await wantedImage(root, fixture)
  return wanted === undefined ? NONE : (findKept(wanted) ?? (await make(wanted)))
}

/** As `applicationImage`, but does not wait for an image that is missing: `make` makes it for later runs, and never throws. */
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
  /** Differs when the image would be another one. */
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

/** The name of an image ends with the digest of its content, so that a damaged one is noticed. */
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

// Without the mark, the next run tries again.
function markUnsuited(folder: string, mark: string, problem = ''): void {
  try {
    writeFileSync(mark, problem)
    removeOld(folder)
  } catch {
    // The folder cannot be written.
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}
