// The platform's own SQL of every cluster (`cluster/*.sql`): roles, functions and grants, never a tenant's objects. The build
// of the cluster image runs all files. Opening a cluster of an earlier version runs the repeatable files again.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../core/package-files.ts'
import { cellText, type Engine } from '../engine.ts'
import { literal, type Sql, script, sql, verbatim } from '../sql.ts'

export interface ClusterFile {
  readonly name: string
  readonly text: string
}

const FOLDER = packageFile('emulator/database/tenant-schema/cluster')
/** Files before this file run once, when the image is made; the others may run again. */
const FIRST_REPEATABLE = '20'
const READ_VERSION = sql`select pg_catalog.obj_description('platform'::regnamespace, 'pg_namespace')`

/** The files in the order in which they run. */
export function clusterSql(): readonly ClusterFile[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))
}

/** Records the version of the repeatable files in the cluster. This is the last statement of an image's build. */
export function noteVersion(version: string = versionOf(repeatableFiles())): Sql {
  return sql`comment on schema platform is ${literal(version)}`
}

/** Runs the repeatable files when the cluster has another version of them. @throws {SqlError} */
export async function renewCluster(engine: Pick<Engine, 'admin'>): Promise<void> {
  const files = repeatableFiles()
  const version = versionOf(files)
  const [found] = await engine.admin('cluster', script([READ_VERSION]))
  if (cellText(found?.rows[0]?.[0]) === version) return
  const statements = [...files.map(({ text }) => verbatim(text)), noteVersion(version)]
  await engine.admin('cluster', script(statements))
}

function repeatableFiles(): readonly ClusterFile[] {
  return clusterSql().filter(({ name }) => name >= FIRST_REPEATABLE)
}

function versionOf(files: readonly ClusterFile[]): string {
  const hash = createHash('sha256')
  for (const { name, text } of files) hash.update(name).update('\0').update(text).update('\0')
  return hash.digest('hex').slice(0, 16)
}
