// The platform's own SQL of every cluster (`cluster/`): roles, functions and grants, never a tenant's objects. `shared/` is for
// every engine, `embedded/` and `server/` for one. All files of an engine run in the order of their names. Opening a cluster
// of an earlier version runs the repeatable files again.
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

/** The names of the engines' own folders. */
export type ClusterKind = 'embedded' | 'server'

const FOLDER = packageFile('emulator/database/tenant-schema/cluster')
/** Files before this file run once, when the image is made; the others may run again. */
const FIRST_REPEATABLE = '20'
const READ_VERSION = sql`select pg_catalog.obj_description('platform'::regnamespace, 'pg_namespace')`

/** The files in the order in which they run. */
export function clusterSql(kind: ClusterKind): readonly ClusterFile[] {
  return ['shared', kind]
    .flatMap((folder) =>
      readdirSync(join(FOLDER, folder))
        .filter((name) => name.endsWith('.sql'))
        .map((name) => ({ name, text: readFileSync(join(FOLDER, folder, name), 'utf8') })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The files that may run again in a cluster of another version. */
export function repeatableFiles(kind: ClusterKind): readonly ClusterFile[] {
  return clusterSql(kind).filter(({ name }) => name >= FIRST_REPEATABLE)
}

/** The version of files: a digest of their names and texts. */
export function versionOf(files: readonly ClusterFile[]): string {
  const hash = createHash('sha256')
  for (const { name, text } of files) hash.update(name).update('\0').update(text).update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** Records the version of the repeatable files in the cluster. This is the last statement of an image's build. */
export function noteVersion(version: string = versionOf(repeatableFiles('embedded'))): Sql {
  return sql`comment on schema platform is ${literal(version)}`
}

/** Runs the embedded engine's repeatable files when the cluster has another version of them. @throws {SqlError} */
export async function renewCluster(engine: Pick<Engine, 'admin'>): Promise<void> {
  const files = repeatableFiles('embedded')
  const version = versionOf(files)
  const [found] = await engine.admin('cluster', script([READ_VERSION]))
  if (cellText(found?.rows[0]?.[0]) === version) return
  const statements = [...files.map(({ text }) => verbatim(text)), noteVersion(version)]
  await engine.admin('cluster', script(statements))
}
