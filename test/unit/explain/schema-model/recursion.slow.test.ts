// Compares the recursions that the emulator finds in policies, functions and views with the recursions that Postgres refuses.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { type Engine, SqlError } from '../../../../emulator/database/engine.ts'
import { verbatim } from '../../../../emulator/database/sql.ts'
import { loadSqlParser, type SqlParser } from '../../../../emulator/database/sql-parser.ts'
import { loadStructure } from '../../../../emulator/database/template/structure.ts'
import { applyStatement } from '../../../../emulator/insight/explain/schema-model/apply-statement.ts'
import { modelOfStructure } from '../../../../emulator/insight/explain/schema-model/model-of-structure.ts'
import { recursionsOf } from '../../../../emulator/insight/explain/schema-model/recursion.ts'
import {
  emptyModel,
  type SchemaModel,
} from '../../../../emulator/insight/explain/schema-model/schema-model.ts'
import {
  createTestTenant,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../../../support/test-engine.ts'

let engine: Engine
let parser: SqlParser
let count = 0
beforeAll(async () => {
  engine = (await openTestEngine()).engine
  parser = await loadSqlParser()
})
afterAll(() => engine.close())

const TABLES = ['a', 'b', 'c'] as const

type Way = 'query' | 'function' | 'plpgsql' | 'definer' | 'view' | 'invoker'

/** A policy that reads another table in some way, or only compares a column. */
interface AnyPolicy {
  readonly table: (typeof TABLES)[number]
  readonly command: 'all' | 'select' | 'insert'
  readonly reads: (typeof TABLES)[number] | undefined
  readonly way: Way
}

const anyPolicy: fc.Arbitrary<AnyPolicy> = fc.record({
  table: fc.constantFrom(...TABLES),
  command: fc.constantFrom('all', 'select', 'select', 'insert'),
  reads: fc.option(fc.constantFrom(...TABLES), { nil: undefined }),
  way: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Way>('query', 'query', 'definer', 'view', 'invoker') },
    { weight: 1, arbitrary: fc.constantFrom<Way>('function', 'plpgsql') },
  ),
})

/** No condition is true, so that Postgres evaluates all conditions. */
function conditionOf({ reads, way }: AnyPolicy): string {
  if (reads === undefined) return 'id < 0'
  switch (way) {
    case 'query':
      return `exists (select from ${reads} as other where other.id + 0 < 0)`
    case 'view':
    case 'invoker':
      return `-1 in (select id from ${way}_${reads})`
    default:
      return `${way}_${reads}()`
  }
}

function sqlOf(policies: readonly AnyPolicy[], forced: readonly string[]): string {
  return [
    ...TABLES.flatMap((table) => [
      `create table ${table} (id int primary key)`,
      `insert into ${table} values (1)`,
      `create view view_${table} as select id from ${table}`,
      `create view invoker_${table} with (security_invoker = true) as select id from ${table}`,
      `create function function_${table}() returns boolean language sql stable as 'select exists (select from ${table} where id + 0 < 0)'`,
      `create function plpgsql_${table}() returns boolean language plpgsql stable as $$ declare found_one boolean; begin select true into found_one from ${table} where id + 0 < 0; return found_one; end $$`,
      `create function definer_${table}() returns boolean language sql stable security definer set search_path from current as 'select exists (select from ${table} where id + 0 < 0)'`,
      `alter table ${table} enable row level security`,
    ]),
    ...policies.map((policy, index) => {
      const { command, table } = policy
      const clause = command === 'insert' ? 'with check' : 'using'
      return `create policy p${index} on ${table} for ${command} to authenticated ${clause} (${conditionOf(policy)})`
    }),
    ...forced.map((table) => `alter table ${table} force row level security`),
  ].join(';\n')
}

/**
 * SQLSTATEs of a recursion: 42P17, or the limit of stack, memory or time that an endless recursion of functions reaches first.
 */
const ENDLESS = /^(42P17|54001|53200|57014)$/

/** Whether Postgres refuses SELECT or INSERT on one of the tables because of a recursion. */
async function isRefused(schemaName: string): Promise<boolean> {
  for (const table of TABLES)
    for (const statement of [
      `select from ${table}`,
      `insert into ${table} values (2) on conflict do nothing`,
    ])
      try {
        await runAsRole(engine, schemaName, 'authenticated', [verbatim(statement)], {
          end: 'rollback',
        })
      } catch (error) {
        if (!(error instanceof SqlError)) throw error
        if (ENDLESS.test(error.code)) return true
      }
  return false
}

function modelOfText(sql: string): SchemaModel {
  const model = emptyModel(parser)
  for (const statement of parser.parse(sql)) applyStatement(model, statement)
  return model
}

describe('recursive policies', () => {
  it('are found in SQL text and in the catalogue exactly when Postgres refuses them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPolicy, { minLength: 1, maxLength: 5 }),
        fc.subarray([...TABLES]),
        async (policies, forced) => {
          count += 1
          const schemaName = trusted.schemaName(`proj_r${count}`)
          await createTestTenant(engine, schemaName)
          const sql = sqlOf(policies, forced)
          await runAsOwner(engine, schemaName, sql)
          const refused = await isRefused(schemaName)
          const structure = await loadStructure(engine, schemaName)
          expect(recursionsOf(modelOfText(sql)).length > 0).toBe(refused)
          expect(recursionsOf(modelOfStructure(parser, structure)).length > 0).toBe(refused)
          await engine.projects.drop(schemaName)
        },
      ),
      { numRuns: 60, seed: 7 },
    )
  }, 240_000)
})
