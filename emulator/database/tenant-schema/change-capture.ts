// The SQL that captures row changes (`change-capture/*.sql`): the outbox and its trigger functions are the same on every engine,
// the rest is the engine's own. Runs at the first subscription to a project.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SchemaName } from '../../core/names.ts'
import { packageFile } from '../../core/package-files.ts'
import { cellText, type Engine, type EngineKind, type PlatformScope } from '../engine.ts'
import { literal, type Sql, script, sql, verbatim } from '../sql.ts'

const FOLDER = 'emulator/database/tenant-schema/change-capture'

const OF_ENGINE: Readonly<
  Record<EngineKind, { readonly file: string; readonly announce: string }>
> = {
  embedded: { file: 'embedded.sql', announce: '' },
  postgres: {
    file: 'server.sql',
    announce: `if found then
  perform platform.announce_commit('rows', pg_catalog.current_setting('tenantry.request_id', true));
end if;`,
  },
}

/**
 * Installs the capture SQL when the database lacks the current version. Rows in the outbox are dropped then.
 * @throws {SqlError}
 */
export async function prepareCapture(
  engine: Pick<Engine, 'admin'>,
  where: PlatformScope,
  kind: EngineKind,
): Promise<void> {
  const { announce, file } = OF_ENGINE[kind]
  const text = `${read('outbox.sql').replaceAll(':announce', announce)}\n${read(file)}`
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const [found] = await engine.admin(
    where,
    script([sql`select obj_description(to_regclass('platform.row_changes'), 'pg_class')`]),
  )
  if (cellText(found?.rows[0]?.[0]) === version) return
  await engine.admin(
    where,
    script([
      sql`set local client_min_messages = warning`,
      verbatim(text),
      sql`comment on table platform.row_changes is ${literal(version)}`,
    ]),
  )
}

/** A query that finds no relation to capture. */
export const NO_RELATION: Sql = sql`select 0::oid as oid where false`

/** Captures exactly the relations that the query finds. */
export function captureRelations(schemaName: SchemaName, relations: Sql): Sql {
  return sql`select platform.capture_relations(${literal(schemaName)}, array(select oid from (${relations}) as wanted))`
}

function read(name: string): string {
  return readFileSync(packageFile(FOLDER, name), 'utf8')
}
