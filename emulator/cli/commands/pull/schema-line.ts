// The schema line of a new `fixture.yaml`. Pure.
import { dirname, join, relative, resolve, sep } from 'node:path'

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
