// The schema line of a new `fixture.yaml`, and the timestamps of new steps. Pure.
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type EpochMillis, toIso } from '../../core/time.ts'

/** Path of the fixtures' JSON Schema in a project that has this package installed. */
const SCHEMA = join('node_modules', 'tenantry', 'fixtures', 'fixture.schema.json')

/** Returns the line from which editors know the keys of `fixture.yaml`. */
export function schemaLine(folder: string): string {
  const target = resolve(folder)
  const path = relative(target, join(dirname(target), SCHEMA))
    .split(sep)
    .join('/')
  return `# yaml-language-server: $schema=${path}`
}

/** Returns the time in UTC as 14 digits, the version of a migration step. */
export function stepVersion(at: EpochMillis): string {
  return toIso(at).replaceAll(/\D/g, '').slice(0, 14)
}
