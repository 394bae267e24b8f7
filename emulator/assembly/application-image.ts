// Keeps the templates of an application, as its migration steps build them, between test runs. A later run starts from the image
// and runs no step (database/embedded/cluster/prepared-image.ts).
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
import { SystemClock } from '../core/clock.ts'
import { toDate } from '../core/time.ts'
import { describedMigrations } from '../fixtures/read/described-projects.ts'
import type { Fixture } from '../fixtures/read/fixture.ts'
import { readSteps } from '../fixtures/read/fixture-steps.ts'
import { scriptsOfSteps } from '../migrations/steps/step.ts'
import { version } from '../version.ts'
import { buildPreparedImage, imageBasis } from './build-prepared-image.ts'

/** Number of images that stay. An image of a small application has about 1 MB. */
const KEPT_IMAGES = 5
const ENDING = '.img'
/** Marks steps that no image can hold, so that no run tries again. */
const UNSUITED = '.none'

/**
 * Returns the path of an image with the fixture's steps. Makes it when it is missing or damaged. Returns `undefined` when the
 * fixture has no steps, and when an image cannot be made: applying the fixture then runs the steps and reports their errors.
 * @param root the project's folder, whose `node_modules/.cache/tenantry` has the images
 */
export async function applicationImage(
  root: string,
  fixture: Fixture,
): Promise<string | undefined> {
  const templates = describedMigrations(fixture.definition).map(({ folder }) => ({
    steps: readSteps(fixture.files, folder)?.steps ?? [],
    clones: 0,
  }))
  if (templates.every(({ steps }) => steps.length === 0)) return undefined
  const scripts = templates.map(({ steps }) => scriptsOfSteps(steps))
  const key = digest(JSON.stringify([version, await imageBasis(), scripts]))
  const folder = join(root, 'node_modules', '.cache', 'tenantry')
  if (existsSync(join(folder, key + UNSUITED))) return undefined
  const kept = findImage(folder, key)
  if (kept !== undefined) return kept
  try {
    mkdirSync(folder, { recursive: true })
    const draft = join(folder, `${key}.${process.pid}.draft`)
    await buildPreparedImage(draft, templates)
    const path = join(folder, `${key}-${digest(readFileSync(draft))}${ENDING}`)
    renameSync(draft, path)
    removeOld(folder)
    return path
  } catch {
    markUnsuited(folder, key)
    return undefined
  }
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
function markUnsuited(folder: string, key: string): void {
  try {
    writeFileSync(join(folder, key + UNSUITED), '')
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
