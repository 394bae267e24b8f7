// Brings a cluster that an earlier version made up to date: functions and rights of the platform's own, never a tenant's
// objects. The cluster image is made with the same files, so that a new cluster needs nothing.
import { createHash } from 'node:crypto'
import { clusterSql } from './cluster-image.ts'
import { cellText, type Engine } from './engine.ts'
import { literal, type Sql, script, sql, verbatim } from './sql.ts'

/** Files before this one run once, when the image is made; the others may run again. */
const FIRST_REPEATABLE = '20'

interface Renewal {
  readonly version: string
  readonly files: readonly string[]
}

function renewal(): Renewal {
  const files = clusterSql().filter(({ name }) => name >= FIRST_REPEATABLE)
  const hash = createHash('sha256')
  for (const { name, text } of files) hash.update(name).update('\0').update(text).update('\0')
  return { version: hash.digest('hex').slice(0, 16), files: files.map(({ text }) => text) }
}

const READ_VERSION = sql`select pg_catalog.obj_description('platform'::regnamespace, 'pg_namespace')`

/** Notes which files a cluster has; the last statement of an image. */
export function noteVersion(version = renewal().version): Sql {
  return sql`comment on schema platform is ${literal(version)}`
}

/** Runs the repeatable files when the cluster has others. @throws {SqlError} */
export async function renewCluster(engine: Pick<Engine, 'admin'>): Promise<void> {
  const { version, files } = renewal()
  const [found] = await engine.admin(script([READ_VERSION]))
  if (cellText(found?.rows[0]?.[0]) === version) return
  await engine.admin(script([...files.map((text) => verbatim(text)), noteVersion(version)]))
}
