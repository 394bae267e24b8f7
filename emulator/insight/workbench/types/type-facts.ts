// Reads from the catalogue the types of a schema's columns and functions, and all types that these consist of.
import { z } from 'zod'
import type { SchemaName } from '../../../core/names.ts'
import { cellText, type Engine, type StatementResult } from '../../../database/engine.ts'
import { literal, type Sql, script, sql } from '../../../database/sql.ts'

/** A column of a function's result. */
export interface ResultFact {
  readonly name: string
  /** The type's oid. */
  readonly type: string
}

/** A field of a composite type, or a column of a relation. */
export interface FieldFact extends ResultFact {
  readonly isNullable: boolean
  /** Whether no client can write the column: it is generated, or an identity column that is always generated. */
  readonly isReadOnly: boolean
}

export interface RoutineFact {
  readonly oid: string
  /** Types of the input parameters, in their order. */
  readonly parameters: readonly string[]
  readonly returns: string
  /** The columns of OUT parameters and of RETURNS TABLE. The name is empty for a parameter without a name. */
  readonly columns: readonly ResultFact[]
}

export interface TypeFact {
  readonly oid: string
  readonly schema: string
  readonly name: string
  /** `typtype` of pg_type, such as `c` for composite types, `e` for enums and `p` for pseudo-types. */
  readonly kind: string
  /** The type of an array's elements. */
  readonly element: string | null
  /** The type that a domain is based on. */
  readonly base: string | null
  /** Whether Postgres converts values to JSON with a function of their type's cast. */
  readonly hasJsonCast: boolean
  /** The fields of a composite type or of a relation's row. */
  readonly fields: readonly FieldFact[]
  readonly labels: readonly string[]
}

/** Facts that the schema cache does not contain. */
export interface TypeFacts {
  /** Functions by oid. */
  readonly routines: ReadonlyMap<string, RoutineFact>
  /** Types by oid, including types of other schemas. */
  readonly types: ReadonlyMap<string, TypeFact>
  /** Names of the schema's composite types, without the row types of its relations. */
  readonly composites: readonly string[]
  /** Names of the platform's tables, which clients cannot access. */
  readonly platformTables: ReadonlySet<string>
}

const field = { name: z.string(), type: z.string() }
const routineFacts: z.ZodType<readonly RoutineFact[]> = z.array(
  z.object({
    oid: z.string(),
    parameters: z.array(z.string()),
    returns: z.string(),
    columns: z.array(z.object(field)),
  }),
)
const typeFacts: z.ZodType<readonly TypeFact[]> = z.array(
  z.object({
    oid: z.string(),
    schema: z.string(),
    name: z.string(),
    kind: z.string(),
    element: z.string().nullable(),
    base: z.string().nullable(),
    hasJsonCast: z.boolean(),
    fields: z.array(z.object({ ...field, isNullable: z.boolean(), isReadOnly: z.boolean() })),
    labels: z.array(z.string()),
  }),
)
const names: z.ZodType<readonly string[]> = z.array(z.string())

export async function readTypeFacts(engine: Engine, schemaName: SchemaName): Promise<TypeFacts> {
  const namespace = sql`(select oid from pg_namespace where nspname = ${literal(schemaName)})`
  const owner = literal(`${schemaName}_owner`)
  const [routines, types, composites, platformTables] = await engine.admin(
    schemaName,
    script([
      routinesQuery(namespace),
      typesQuery(namespace),
      sql`select coalesce(json_agg(relname order by relname), '[]') from pg_class
        where relnamespace = ${namespace} and relkind = 'c'`,
      sql`select coalesce(json_agg(relname), '[]') from pg_class where relnamespace = ${namespace}
        and relowner <> (select oid from pg_roles where rolname = ${owner})`,
    ]),
  )
  return {
    routines: byOid(decoded(routines, routineFacts)),
    types: byOid(decoded(types, typeFacts)),
    composites: decoded(composites, names),
    platformTables: new Set(decoded(platformTables, names)),
  }
}

function decoded<Value>(result: StatementResult | undefined, shape: z.ZodType<Value>): Value {
  return shape.parse(JSON.parse(cellText(result?.rows[0]?.[0]) ?? '[]'))
}

function byOid<Fact extends { readonly oid: string }>(facts: readonly Fact[]) {
  return new Map(facts.map((fact) => [fact.oid, fact]))
}

const PARAMETERS = sql`unnest(
  coalesce(routine.proallargtypes, routine.proargtypes::oid[]), routine.proargnames, routine.proargmodes)
  with ordinality as parameter (type, name, mode, position)`

function routinesQuery(namespace: Sql): Sql {
  return sql`
    select coalesce(json_agg(json_build_object(
      'oid', routine.oid::text,
      'parameters', (
        select coalesce(json_agg(parameter.type::text order by parameter.position), '[]')
        from ${PARAMETERS} where coalesce(parameter.mode, 'i') in ('i', 'b', 'v')),
      'returns', routine.prorettype::text,
      'columns', (
        select coalesce(json_agg(json_build_object(
          'name', coalesce(parameter.name, ''), 'type', parameter.type::text) order by parameter.position), '[]')
        from ${PARAMETERS} where parameter.mode in ('o', 'b', 't')))), '[]')
    from pg_proc as routine
    where routine.pronamespace = ${namespace} and routine.prokind = 'f'`
}

// Starts with the schema's own types, including its relations' row types, and with the types of its functions. Adds the types
// that these consist of. Types below 16384 belong to Postgres itself, which ignores casts of them to JSON
// (https://github.com/postgres/postgres, src/backend/utils/adt/jsonfuncs.c, json_categorize_type).
function typesQuery(namespace: Sql): Sql {
  return sql`
    with recursive reached (oid) as (
      select oid from pg_type where typnamespace = ${namespace}
      union
      select unnest(array[prorettype] || coalesce(proallargtypes, proargtypes::oid[])) from pg_proc
      where pronamespace = ${namespace}
      union
      select below.oid from reached cross join lateral (
        select unnest(array[type.typelem, type.typbasetype]) from pg_type as type where type.oid = reached.oid
        union all
        select attribute.atttypid from pg_type as type
        join pg_attribute as attribute on attribute.attrelid = type.typrelid
        where type.oid = reached.oid and type.typrelid <> 0 and attribute.attnum > 0 and not attribute.attisdropped
      ) as below (oid)
    )
    select coalesce(json_agg(json_build_object(
      'oid', type.oid::text,
      'schema', space.nspname,
      'name', type.typname,
      'kind', type.typtype,
      'element', case when type.typsubscript = 'pg_catalog.array_subscript_handler'::regproc
        then type.typelem::text end,
      'base', case when type.typtype = 'd' then type.typbasetype::text end,
      'hasJsonCast', type.oid >= 16384 and exists (
        select from pg_cast where castsource = type.oid and casttarget = 'pg_catalog.json'::regtype and castmethod = 'f'),
      'fields', (
        select coalesce(json_agg(json_build_object(
          'name', attribute.attname,
          'type', attribute.atttypid::text,
          'isNullable', not (attribute.attnotnull or (
            select typtype = 'd' and typnotnull from pg_type as held where held.oid = attribute.atttypid)),
          'isReadOnly', attribute.attgenerated <> '' or attribute.attidentity = 'a'
        ) order by attribute.attnum), '[]')
        from pg_attribute as attribute
        where attribute.attrelid = type.typrelid and type.typrelid <> 0
          and attribute.attnum > 0 and not attribute.attisdropped),
      'labels', (
        select coalesce(json_agg(label.enumlabel order by label.enumsortorder), '[]')
        from pg_enum as label where label.enumtypid = type.oid)) order by type.typname), '[]')
    from reached
    join pg_type as type on type.oid = reached.oid
    join pg_namespace as space on space.oid = type.typnamespace`
}
