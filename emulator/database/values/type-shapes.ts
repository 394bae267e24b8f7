// Reads from the catalogue which types of a result are arrays or composites, with their element and field types. Built-in types
// are read once. A project's own types are read each time, because an oid may later belong to another type.
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import { retryableOnce } from '../../core/retryable-once.ts'
import { cellText, type Engine, type PlatformScope } from '../engine.ts'
import { type Sql, script, sql, verbatim } from '../sql.ts'

export type TypeShape =
  | { readonly kind: 'scalar'; readonly oid: number }
  | { readonly kind: 'array'; readonly element: () => TypeShape; readonly delimiter: string }
  | {
      readonly kind: 'record'
      readonly fields: readonly { readonly name: string; readonly shape: () => TypeShape }[]
    }

export interface TypeShapes {
  /** Returns a look-up from these oids to their types. @throws {SqlError} */
  of(schemaName: SchemaName, oids: readonly number[]): Promise<(oid: number) => TypeShape>
}

type Records = ReadonlyMap<number, JsonObject>

const FIRST_NORMAL_OID = 16_384

/**
 * The recursive term of a query `types (oid)` that adds the types that a type is made of: elements, bases of domains, fields.
 */
export const PART_TYPES: Sql = verbatim(`select part.oid
  from types
  join pg_type as type on type.oid = types.oid
  cross join lateral (
    select type.typelem where type.typsubscript = 'array_subscript_handler'::regproc
    union all
    select type.typbasetype where type.typtype = 'd'
    union all
    select atttypid from pg_attribute
    where type.typtype = 'c' and attrelid = type.typrelid and attnum > 0 and not attisdropped
  ) as part (oid)`)

export function createTypeShapes(engine: Engine): TypeShapes {
  const builtIn = retryableOnce(() =>
    read(engine, 'cluster', `type.oid < ${FIRST_NORMAL_OID} and type.typtype = 'b'`),
  )
  return {
    of: async (schemaName, oids) => {
      const known = await builtIn.get()
      const others = [...new Set(oids.filter((oid) => oid >= FIRST_NORMAL_OID))]
      const own =
        others.length === 0
          ? known
          : await read(engine, schemaName, `type.oid in (${others.join(', ')})`)
      return shapesOf((oid) => own.get(oid) ?? known.get(oid))
    },
  }
}

/**
 * Returns a look-up by oid over the catalogue's descriptions of types. The parts of a type are looked up lazily, because a type
 * may contain itself (a table with an array of its own rows).
 */
export function shapesOf(
  describe: (oid: number) => JsonObject | undefined,
): (oid: number) => TypeShape {
  const known = new Map<number, TypeShape>()
  const shapeOf = (oid: number): TypeShape => {
    const found = known.get(oid)
    if (found !== undefined) return found
    const shape = shapeFrom(describe(oid), oid, shapeOf)
    known.set(oid, shape)
    return shape
  }
  return shapeOf
}

function shapeFrom(
  record: JsonObject | undefined,
  oid: number,
  shapeOf: (oid: number) => TypeShape,
): TypeShape {
  const element = Number(record?.['element'] ?? 0)
  if (element !== 0)
    return {
      kind: 'array',
      element: () => shapeOf(element),
      delimiter: String(record?.['delimiter'] ?? ','),
    }
  if (record?.['kind'] === 'd') return shapeOf(Number(record['base']))
  if (record?.['kind'] !== 'c' || !Array.isArray(record['fields'])) return { kind: 'scalar', oid }
  return {
    kind: 'record',
    fields: record['fields'].filter(isJsonObject).map((field) => ({
      name: String(field['name']),
      shape: () => shapeOf(Number(field['oid'])),
    })),
  }
}

// The types int2vector and oidvector have elements but another text format, so `array_in` excludes them.
async function read(engine: Engine, where: PlatformScope, which: string): Promise<Records> {
  const results = await engine.admin(
    where,
    script([
      sql`set local search_path = pg_catalog`,
      sql`with recursive types (oid) as (
  select type.oid from pg_type as type where ${verbatim(which)}
  union
  ${PART_TYPES}
)
select json_build_object(
  'oid', type.oid::bigint, 'kind', type.typtype, 'base', type.typbasetype::bigint, 'delimiter', type.typdelim,
  'element', case when type.typsubscript = 'array_subscript_handler'::regproc
    and type.typinput = 'array_in'::regproc then type.typelem::bigint else 0 end,
  'fields', (select json_agg(json_build_object('name', attname, 'oid', atttypid::bigint) order by attnum)
    from pg_attribute where type.typtype = 'c' and attrelid = type.typrelid and attnum > 0 and not attisdropped))
from types join pg_type as type on type.oid = types.oid
where type.typtype in ('c', 'd') or type.typsubscript = 'array_subscript_handler'::regproc`,
    ]),
  )
  const records = (results.at(-1)?.rows ?? [])
    .map(([record]) => parseJson(cellText(record) ?? ''))
    .filter(isJsonObject)
  return new Map(records.map((record) => [Number(record['oid']), record]))
}
