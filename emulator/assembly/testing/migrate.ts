// Applies migration steps to a group, for the test helpers.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MigrationReport, StepSource } from '../../contract/migrations.ts'
import { callEmulator, type Platform, readPlatform, TestingError } from './platform.ts'

/** The steps, and the projects that get them. */
export interface MigrateOptions {
  /** Name or id of the group (default: the first group). */
  readonly group?: string
  /** Folder of the steps (default: `tenantry/migrations`). */
  readonly dir?: string
  /** All steps, instead of a folder. */
  readonly steps?: readonly StepSource[]
  /** Tenants that get the steps after the template (default: none). */
  readonly tenants?: 'all' | 'none' | readonly string[]
  /** Whether the template is published (default: false). */
  readonly publish?: boolean
}

/** @throws {TestingError} `unknown_group`, `migration_failed` with file, line and reason, or `refused` */
export async function migrate(
  platform: Platform,
  { dir = 'tenantry/migrations', publish = false, tenants = 'none', ...given }: MigrateOptions,
): Promise<MigrationReport> {
  const group = given.group ?? (await readPlatform(platform)).groups[0]?.id
  if (group === undefined)
    throw new TestingError('unknown_group', 'There is no group whose template could be migrated.')
  const steps = given.steps ?? stepsIn(dir)
  const path = `/groups/${encodeURIComponent(group)}/migrations/apply`
  const report = await callEmulator<MigrationReport>(platform, 'POST', path, {
    steps,
    tenants,
    publish,
  })
  if (report.ok) return report
  throw new TestingError('migration_failed', failureOf(report))
}

function stepsIn(folder: string): readonly StepSource[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ file: name, sql: readFileSync(join(folder, name), 'utf8') }))
}

function failureOf({ publish_error, template, tenants }: MigrationReport): string {
  const failed = [template, ...tenants].find(({ error }) => error !== null)
  const error = failed?.error ?? publish_error
  const place = error?.step ? `${error.step}${error.line === null ? '' : `:${error.line}`}: ` : ''
  return `${failed?.slug ?? 'publish'}: ${place}${error?.message ?? 'failed'} (${error?.code})`
}
