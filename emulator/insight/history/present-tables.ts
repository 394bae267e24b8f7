// Reads the tables of a project as they are now.
import { z } from 'zod'
import { parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import { cellText, type Engine } from '../../database/engine.ts'
import { isOwnTrigger } from '../../database/own-trigger.ts'
import { literal, readScript, sql } from '../../database/sql.ts'
import type { PresentTable } from './net-effect.ts'

const names = z.array(z.string())
const present = z.array(
  z.object({
    relation: z.number(),
    name: z.string(),
    forcesRowSecurity: z.boolean(),
    key: names,
    triggers: names,
    foreignKeys: z.array(
      z.object({
        name: z.string(),
        target: z.number(),
        acts: z.boolean(),
        columns: names,
        targetColumns: names,
      }),
    ),
    columns: z.array(z.object({ name: z.string(), type: z.string(), written: z.boolean() })),
  }),
)

/** Returns the tables that the project's owner owns, by their oids. @throws {SqlError} */
export async function presentTables(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
): Promise<ReadonlyMap<number, PresentTable>> {
  const results = await engine.admin(
    schemaName,
    readScript([
      sql`set local search_path = pg_catalog, pg_temp`,
      sql`select coalesce(json_agg(json_build_object(
  'relation', relation.oid::bigint, 'name', relation.relname, 'forcesRowSecurity', relation.relforcerowsecurity,
  'key', (
    select coalesce(json_agg(part.attname order by place.number), '[]') from pg_index as index
    cross join unnest(index.indkey::smallint[]) with ordinality as place (attnum, number)
    join pg_attribute as part on part.attrelid = relation.oid and part.attnum = place.attnum
    where index.indrelid = relation.oid and index.indisprimary and place.number <= index.indnkeyatts),
  'triggers', (
    select coalesce(json_agg(own.tgname), '[]') from pg_trigger as own
    where own.tgrelid = relation.oid and own.tgenabled = 'O' and own.tgparentid = 0 and ${isOwnTrigger('own')}),
  'foreignKeys', (
    select coalesce(json_agg(json_build_object(
      'name', own.conname, 'target', own.confrelid::bigint,
      'acts', own.confdeltype in ('c', 'n', 'd'),
      'columns', (
        select json_agg(part.attname order by place.number) from unnest(own.conkey) with ordinality as place (attnum, number)
        join pg_attribute as part on part.attrelid = own.conrelid and part.attnum = place.attnum),
      'targetColumns', (
        select json_agg(part.attname order by place.number) from unnest(own.confkey) with ordinality as place (attnum, number)
        join pg_attribute as part on part.attrelid = own.confrelid and part.attnum = place.attnum))), '[]')
    from pg_constraint as own
    where own.conrelid = relation.oid and own.contype = 'f' and own.conparentid = 0),
  'columns', (
    select coalesce(json_agg(json_build_object('name', attribute.attname,
      'type', format_type(attribute.atttypid, attribute.atttypmod),
      'written', attribute.attgenerated = '') order by attribute.attnum), '[]')
    from pg_attribute as attribute
    where attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped))), '[]')
from pg_class as relation
join pg_namespace as namespace on namespace.oid = relation.relnamespace
where namespace.nspname = ${literal(schemaName)} and relation.relkind in ('r', 'p')
  and relation.relowner <> namespace.nspowner`,
    ]),
  )
  const tables = present.parse(parseJson(cellText(results.at(-1)?.rows[0]?.[0]) ?? '[]'))
  return new Map(tables.map((table) => [table.relation, table]))
}
