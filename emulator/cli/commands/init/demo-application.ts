// Turns a fixture of the package into an application folder: the SQL of the template and of its versions becomes migration steps.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { packageFile } from '../../../core/package-files.ts'
import { FIXTURE_FILE } from '../../../workflow/fixtures/read/open-fixture.ts'
import type { ApplicationFile } from '../pull/write-application.ts'

export const DEMOS = ['clinics', 'shop', 'quota-edge'] as const
export type Demo = (typeof DEMOS)[number]

export interface DemoOptions {
  /** Returns the timestamp of 14 digits of the step with this number, counted from 0. */
  readonly versionOf: (step: number) => string
  /** First line of `fixture.yaml`. */
  readonly schemaLine: string
}

export function demoApplication(demo: Demo, options: DemoOptions): readonly ApplicationFile[] {
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
    // All steps run before the tenants are cloned, so there is only one version.
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
