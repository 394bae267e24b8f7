// Runs `tenantry init`. Turns a fixture of the package into an application folder: the SQL of the template and its versions
// becomes migration steps.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { SystemClock } from '../../../core/clock.ts'
import { packageFile } from '../../../core/package-files.ts'
import { epochMillis, SECOND_MILLIS } from '../../../core/time.ts'
import { APPLICATION_FOLDER } from '../../../workflow/fixtures/read/application-folder.ts'
import { FIXTURE_FILE } from '../../../workflow/fixtures/read/open-fixture.ts'
import { stepVersion } from '../../../workflow/migrations/steps/step-files.ts'
import { terminal } from '../../terminal.ts'
import { type PullOptions, pull } from '../pull/run-pull.ts'
import {
  type ApplicationFile,
  refuseTakenFolder,
  schemaLine,
  writeApplication,
} from '../pull/write-application.ts'

/** Fixtures of the package that `--demo` offers. */
export type Demo = 'clinics' | 'shop' | 'quota-edge'

/** The parsed options of the command line, with defaults filled in. */
export interface InitOptions extends Omit<PullOptions, 'url' | 'project' | 'out'> {
  readonly demo: Demo | undefined
  readonly from: string | undefined
  readonly project: string | undefined
}

const KEEP = 'Edit it, or remove it first.'

/** Makes the folder from a demo, from a project that runs elsewhere, or with one table of notes. @throws {EmulatorError} */
export async function runInit(options: InitOptions): Promise<void> {
  const { demo, from, project } = options
  refuseTakenFolder(APPLICATION_FOLDER, KEEP)
  if (from !== undefined && project !== undefined)
    return pull({ ...options, url: from, project, out: APPLICATION_FOLDER })
  const now = new SystemClock().now()
  const versionOf = (step: number): string => stepVersion(epochMillis(now + step * SECOND_MILLIS))
  const line = schemaLine(APPLICATION_FOLDER)
  const files =
    demo === undefined
      ? minimalApplication(versionOf(0), line)
      : demoApplication(demo, { versionOf, schemaLine: line })
  writeApplication(APPLICATION_FOLDER, files, KEEP)
  const names = files.map(([name]) => name)
  terminal().stdout.write(
    options.json
      ? `${JSON.stringify({ folder: APPLICATION_FOLDER, files: names })}\n`
      : nextSteps(names),
  )
}

function nextSteps(names: readonly string[]): string {
  const step = names.find((name) => name.startsWith('migrations/')) ?? 'migrations/'
  return [
    `Made ${APPLICATION_FOLDER}/ with ${names.length} files. Commit it; git ignores the data in .tenantry/.`,
    '  tenantry dev                     start the emulator, and apply each file that you save',
    `  ${APPLICATION_FOLDER}/${step}`,
    '                                   the tables: edit them while "tenantry dev" runs',
    `  ${`${APPLICATION_FOLDER}/fixture.yaml`.padEnd(32)} tenants, users, rows and files`,
    '',
  ].join('\n')
}

interface DemoOptions {
  /** Returns the timestamp of 14 digits for the step with this index. The first step has the index 0. */
  readonly versionOf: (step: number) => string
  /** First line of `fixture.yaml`. */
  readonly schemaLine: string
}

function demoApplication(demo: Demo, options: DemoOptions): readonly ApplicationFile[] {
  const folder = packageFile('fixtures', demo)
  const document = parseDocument(readFileSync(join(folder, FIXTURE_FILE), 'utf8'))
  const steps = takeSteps(document, options)
  document.commentBefore = (document.commentBefore ?? '').replace(/^ yaml-language-server.*\n?/, '')
  const moved = new Map(steps)
  const others = filesBelow(folder)
    .filter((name) => name !== FIXTURE_FILE && name !== 'README.md')
    .map((name): ApplicationFile => [moved.get(name) ?? name, readFileSync(join(folder, name))])
  const yaml = document.toString({ lineWidth: 0, flowCollectionPadding: true })
  return [[FIXTURE_FILE, `${options.schemaLine}\n${yaml}`], ...others]
}

/** Replaces the template's SQL by `migrations`. Returns the moved files with their new names, in the order of the steps. */
function takeSteps(
  document: Document,
  { versionOf }: DemoOptions,
): readonly (readonly [string, string])[] {
  const files: string[] = []
  const take = (owner: YAMLMap): void => {
    const sources = owner.get('sql')
    for (const source of isSeq(sources) ? sources.items : [])
      if (isScalar(source)) files.push(String(source.value))
    owner.delete('sql')
  }
  for (const group of itemsOf(document.get('groups'))) {
    const template = group.get('template')
    if (!isMap(template)) continue
    take(template)
    for (const version of itemsOf(template.get('versions'))) take(version)
    template.delete('versions')
    template.set('migrations', 'migrations')
    template.set('migrate_tenants', true)
    // All steps run before the tenants are cloned, so all tenants have the same version.
    for (const tenant of itemsOf(group.get('tenants')))
      if (tenant.delete('version')) tenant.commentBefore = null
  }
  return files.map((file, index) => [file, `migrations/${versionOf(index)}_${file}`] as const)
}

function itemsOf(list: unknown): readonly YAMLMap[] {
  return isSeq(list) ? list.items.filter((item): item is YAMLMap => isMap(item)) : []
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
}

// The application folder that `tenantry init` makes without options: a table of notes that only their owners can read. Pure.

/** @param version timestamp of 14 digits for the first step @param schemaLine first line of `fixture.yaml` */
function minimalApplication(version: string, schemaLine: string): readonly ApplicationFile[] {
  return [
    ['fixture.yaml', `${schemaLine}\n${FIXTURE}`],
    [`migrations/${version}_notes.sql`, STEP],
    ['rows/notes.csv', ROWS],
    ['files/welcome.txt', 'A private file of this tenant.\n'],
  ]
}

const FIXTURE = `# The development data of this application. "tenantry dev" applies it after each save.
title: Notes
groups:
  - name: Notes
    template:
      slug: notes
      # The tables: SQL files that run in the order of their timestamps.
      migrations: migrations
      # New steps also reach the tenants below. Remove this line to migrate tenants yourself.
      migrate_tenants: true
    tenants:
      - slug: acme
        users:
          - { email: ana@acme.test, password: acme-ana }
          - { email: ben@acme.test, password: acme-ben }
        rows:
          notes: rows/notes.csv
        buckets:
          - name: attachments
            objects: [{ folder: files }]
# Writes TypeScript types of the tables after each save:
# types: types/database.types.ts
`

const STEP = `-- Notes: each user sees and changes only their own.
create table notes (
  id bigint generated by default as identity primary key,
  owner uuid not null default auth.uid() references auth_users (id) on delete cascade,
  title text not null,
  created_at timestamptz not null default now()
);

create index on notes (owner);

alter table notes enable row level security;

create policy "owners read" on notes for select to authenticated using (owner = auth.uid());
create policy "owners add" on notes for insert to authenticated with check (owner = auth.uid());
create policy "owners change" on notes for update to authenticated using (owner = auth.uid());
create policy "owners delete" on notes for delete to authenticated using (owner = auth.uid());
`

const ROWS = `id,owner,title
1,$user(ana@acme.test),Buy coffee
2,$user(ana@acme.test),Call the bank
3,$user(ben@acme.test),Water the plants
`
