// Hidden schemas in which structures are built: a killed process or a restored state can leave them behind.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SeededIdSource } from '../../../../emulator/core/id-source.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { cellText, type Engine } from '../../../../emulator/database/engine.ts'
import { script, sql } from '../../../../emulator/database/sql.ts'
import { createSchemaBuilder } from '../../../../emulator/database/template/schema-builder.ts'
import { Lifecycle } from '../../../../emulator/platform/projects/lifecycle.ts'
import { createSqlExecutor } from '../../../../emulator/services/control/db-exec/execute-sql.ts'
import { createStepStructures } from '../../../../emulator/workflow/migrations/drift/step-structures.ts'
import { toSteps } from '../../../../emulator/workflow/migrations/steps/step.ts'
import { openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const hidden = (digit: string): string => `proj_migration_steps_${digit.repeat(32)}`
/** A user's project whose name begins like the name of a hidden schema. */
const PROJECT = 'proj_migration_steps_of_mine'
const SOURCE = trusted.schemaName('proj_source')

let engine: Engine
beforeAll(async () => {
  engine = (await openTestEngine()).engine
})
afterAll(() => engine.close())

async function leaveBehind(schemaName: string): Promise<void> {
  await engine.projects.create(trusted.schemaName(schemaName))
  await runAsOwner(engine, schemaName, 'create table half_built (id int primary key)')
}

async function schemas(): Promise<readonly (string | undefined)[]> {
  const [found] = await engine.admin(
    'cluster',
    script([
      sql`select nspname::text from pg_catalog.pg_namespace where nspname like 'proj_migration%'
        union all select rolname::text from pg_catalog.pg_roles where rolname like 'proj_migration%' order by 1`,
    ]),
  )
  return (found?.rows ?? []).map(([name]) => cellText(name))
}

const structureSql = (table: string) => ({
  source: SOURCE,
  base: [],
  steps: toSteps([
    { file: '20260101000000_first.sql', sql: `create table ${table} (id int primary key);` },
  ]).steps,
})

describe('building the structure of migration steps', () => {
  it('drops hidden schemas that a killed process left behind, on first use and after the state is replaced', async () => {
    await leaveBehind(PROJECT)
    await leaveBehind(hidden('a'))
    const own = await schemas()
    const lifecycle = new Lifecycle()
    const structures = createStepStructures({
      engine,
      executeSql: createSqlExecutor({ engine, maxResultBytes: 1_000_000 }),
      ids: new SeededIdSource('leftovers'),
      lifecycle,
      schemas: createSchemaBuilder({ engine, lifecycle, fidelity: 'full' }),
    })
    const built = await structures.of(structureSql('first'))
    expect(built.kind === 'built' && built.structure.relations.map(({ name }) => name)).toContain(
      'first',
    )
    const left = own.filter((name) => name?.includes('of_mine') === true)
    expect(left).toHaveLength(2)
    expect(await schemas()).toEqual(left)

    await leaveBehind(hidden('b'))
    await structures.of(structureSql('second'))
    expect(await schemas()).toContain(hidden('b'))
    lifecycle.stateReplaced()
    await structures.of(structureSql('third'))
    expect(await schemas()).toEqual(left)
  })
})
