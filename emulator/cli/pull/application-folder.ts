// Writes the application folder that `tenantry pull` makes: fixture.yaml, the first migration step, rows and an empty folder for
// files.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { EmulatorError } from '../../core/errors.ts'
import { escapeReferences } from '../../fixtures/apply/rows/references.ts'
import type { FixtureInput } from '../../fixtures/read/fixture-shape.ts'
import { FIXTURE_FILE } from '../../fixtures/read/open-fixture.ts'
import type { PulledProject } from '../../migrations/pull/pull-project.ts'

export class FolderError extends EmulatorError {
  override readonly code = 'folder_taken'
}

/** Name of the folder of migration steps inside an application folder. */
const STEPS = 'migrations'

/** @throws {FolderError} when the folder has files */
export function refuseTakenFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new FolderError(`${folder} already has files, and a pull overwrites none.`, {
      hint: 'Name another folder with --out.',
    })
}

/**
 * Writes all files beside `folder` first and renames them into place, so that a failure leaves no half folder.
 * @param version timestamp of 14 digits for the step
 */
export function writeApplicationFolder(
  folder: string,
  version: string,
  pulled: PulledProject,
): readonly string[] {
  const target = resolve(folder)
  mkdirSync(dirname(target), { recursive: true })
  const staging = mkdtempSync(join(dirname(target), `.${basename(target)}-`))
  try {
    const files = filesOf(version, pulled)
    for (const [name, text] of files) {
      const path = join(staging, ...name.split('/'))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    refuseTakenFolder(folder)
    if (existsSync(target)) rmdirSync(target)
    renameSync(staging, target)
    return files.map(([name]) => name)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function filesOf(version: string, pulled: PulledProject): readonly (readonly [string, string])[] {
  const rows = pulled.rows.map(({ rows: list, table }): readonly [string, string] => [
    rowsFile(table),
    escapeReferences(`[\n${list.map((row) => `  ${row}`).join(',\n')}\n]\n`),
  ])
  return [
    [FIXTURE_FILE, yamlOf(pulled)],
    [`${STEPS}/${version}_pulled.sql`, pulled.step],
    ...rows,
    // Git keeps no empty folders.
    ['files/.gitkeep', ''],
  ]
}

function rowsFile(table: string): string {
  return `rows/${encodeURIComponent(table)}.json`
}

type GroupInput = NonNullable<FixtureInput['groups']>[number]

function yamlOf(pulled: PulledProject): string {
  const { buckets, group, rows, slug } = pulled
  const template: GroupInput['template'] = {
    slug,
    migrations: STEPS,
    ...(rows.length === 0
      ? {}
      : {
          rows: Object.fromEntries(rows.map(({ table }) => [table, rowsFile(table)])),
          fire_triggers: false,
        }),
    ...(buckets.length === 0 ? {} : { buckets: [...buckets] }),
  }
  const definition: FixtureInput = {
    title: group?.name ?? slug,
    groups: [
      {
        name: group?.name ?? slug,
        template,
        ...(group === undefined ? {} : { tenants: group.tenants as GroupInput['tenants'] }),
      },
    ],
  }
  return `# The application of the project ${slug}, made by "tenantry pull".\n${stringify(definition, { lineWidth: 120 })}`
}
