import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SchemaName, trusted } from '../../../../emulator/core/names.ts'
import { diffStatements } from '../../../../emulator/database/differ/diff-statements.ts'
import type { DiffOptions } from '../../../../emulator/database/differ/difference.ts'
import { RenameError, renameStatements } from '../../../../emulator/database/differ/renames.ts'
import { renderStep } from '../../../../emulator/database/differ/render-step.ts'
import { loadStructure } from '../../../../emulator/database/template/structure.ts'
import { type OpenedTestEngine, openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const [BEFORE, AFTER] = [trusted.schemaName('proj_one'), trusted.schemaName('proj_two')]

let opened: OpenedTestEngine

beforeAll(async () => {
  opened = await openTestEngine()
})

afterAll(() => opened.engine.close())

async function structureOf(schemaName: SchemaName, text: string) {
  const { engine } = opened
  await engine.projects.drop(schemaName)
  await engine.projects.create(schemaName)
  await runAsOwner(engine, schemaName, text)
  return await loadStructure(engine, schemaName)
}

type Structure = Awaited<ReturnType<typeof structureOf>>

async function diff(before: string, after: string, options: DiffOptions = {}) {
  const [from, to] = [await structureOf(BEFORE, before), await structureOf(AFTER, after)]
  return diffStatements(from, to, options)
}

function withoutNames(structure: Structure): Structure {
  const relations = structure.relations.map((relation) => ({
    ...relation,
    columns: relation.columns.map((column) => {
      if (column.notNull === undefined) return column
      const { name: _name, ...notNull } = column.notNull
      return { ...column, notNull }
    }),
  }))
  return { ...structure, relations }
}

const ORDERS = 'create table orders (id integer primary key, total integer, note text);'

describe('diffStatements', () => {
  it('returns nothing for equal schemas', async () => {
    expect(await diff(ORDERS, ORDERS)).toEqual({
      statements: [],
      renameCandidates: [],
      notGenerated: [],
    })
  })

  it('writes no schema names, and quotes only names that need quotes', async () => {
    const after = `${ORDERS} create table "Lines" (id integer generated always as identity, order_id integer references orders, "order" text default 'x' || 'proj_two'); create view v as select l.id from "Lines" l;`
    const text = renderStep(await diff(ORDERS, after))
    expect(text).not.toMatch(/proj_(one|two)\./)
    expect(text).toContain('create table "Lines" (')
    expect(text).toContain('REFERENCES orders(id)')
  })

  it('replaces a schema name in the text of a function with the current schema at run time', async () => {
    const after = `${ORDERS} create function f() returns bigint language sql as 'select count(*) from proj_two.orders';`
    const { statements } = await diff(ORDERS, after)
    expect(statements.map(({ sql }) => sql).join('\n')).toContain('from {schema}.orders')
    const third = trusted.schemaName('proj_three')
    await structureOf(third, ORDERS)
    await runAsOwner(opened.engine, third, statements.map(({ sql }) => sql).join(';\n'))
    const { routines } = await loadStructure(opened.engine, third)
    expect(routines[0]?.definition).toContain('from proj_three.orders')
  })

  it('alters a policy in place', async () => {
    const policy = (using: string) => `${ORDERS} create policy mine on orders using (${using});`
    const { statements } = await diff(policy('true'), policy('id > 3'))
    expect(statements.map(({ sql }) => sql)).toEqual([
      'alter policy mine on orders using ((id > 3))',
    ])
  })

  it('leaves out the table of applied migrations', async () => {
    const ledger =
      'create table tenantry_migrations (version text primary key); alter table tenantry_migrations enable row level security; comment on table tenantry_migrations is $$[]$$;'
    expect((await diff(ORDERS, ORDERS + ledger)).statements).toEqual([])
    expect((await diff(ORDERS + ledger, ORDERS)).statements).toEqual([])
  })

  it('compares a NOT NULL of PostgreSQL 17, which has no name, by its column alone', async () => {
    const mandatory = ORDERS.replace('total integer', 'total integer constraint given not null')
    const [optional, required] = [
      await structureOf(BEFORE, ORDERS),
      withoutNames(await structureOf(AFTER, mandatory)),
    ]
    const statements = (from: Structure, to: Structure) =>
      diffStatements(from, to).statements.map(({ sql }) => sql)
    expect(statements(optional, required)).toEqual([
      'alter table orders alter column total set not null',
    ])
    const named = await structureOf(BEFORE, mandatory)
    expect(statements(named, required)).toEqual([])
    expect(statements(required, named)).toEqual([])
  })

  it('reports that a comment on the schema is not generated', async () => {
    const from = await structureOf(BEFORE, ORDERS)
    const to = { ...(await structureOf(AFTER, ORDERS)), schemaComment: 'ours' }
    expect(diffStatements(from, to).notGenerated.map(({ object }) => object)).toEqual([
      'comment on the schema',
    ])
  })
})

describe('statements that destroy data', () => {
  it('come last, are held back and have a reason', async () => {
    const after = 'create table orders (id integer primary key, total smallint, more text);'
    const { statements } = await diff(ORDERS, after)
    expect(statements.map(({ destroys, isHeldBack, sql }) => [sql, isHeldBack, destroys])).toEqual([
      ['alter table orders add column more text', false, undefined],
      ['alter table orders drop column note', true, 'Drops the column orders.note and its values.'],
      [
        'alter table orders alter column total type smallint using total::smallint',
        true,
        'Changes the type of orders.total from integer to smallint: values may be cut, or make the step fail.',
      ],
    ])
  })

  it('are comments in a step unless they are allowed', async () => {
    const result = await diff(ORDERS, '')
    expect(renderStep(result)).toMatch(/^-- drop table orders;$/m)
    expect(renderStep(result, { allowDestructive: true })).toMatch(/^drop table orders;$/m)
  })

  it('hold back the statements that depend on them', async () => {
    const before = `${ORDERS} create view v as select id, total from orders;`
    const after =
      'create table orders (id integer primary key, total smallint, note text); create view v as select id, total + 1::smallint as total from orders;'
    const { statements } = await diff(before, after)
    expect(statements.filter(({ isHeldBack }) => !isHeldBack)).toEqual([])
    expect(statements.some(({ sql }) => sql.includes('view v'))).toBe(true)
  })

  it('are written in the order of their dependencies when they are allowed', async () => {
    const { statements } = await diff(ORDERS, '', { allowDestructive: true })
    expect(statements).toEqual([
      {
        sql: 'drop table orders',
        destroys: 'Drops the table orders and its rows.',
        loses: { kind: 'table', table: 'orders' },
        isHeldBack: false,
      },
    ])
  })
})

describe('renames', () => {
  const RENAMED = `create table purchases (id integer primary key, amount integer check (amount > 0), note text); create view v as select amount from purchases;`
  const FORMER = `create table orders (id integer primary key, total integer check (total > 0), note text); create view v as select total from orders;`

  it('are proposed, not applied', async () => {
    const { renameCandidates, statements } = await diff(
      ORDERS,
      'create table orders (id integer primary key, amount integer, note text);',
    )
    expect(renameCandidates).toEqual([
      { kind: 'column', from: 'orders.total', to: 'orders.amount' },
    ])
    expect(statements.map(({ sql }) => sql)).toContain(
      'alter table orders add column amount integer',
    )
  })

  it('keep the rows when the caller states them', async () => {
    const statements = renameStatements(await structureOf(BEFORE, FORMER), [
      { kind: 'column', from: 'purchases.total', to: 'purchases.amount' },
      { kind: 'table', from: 'orders', to: 'purchases' },
    ])
    expect(statements).toEqual([
      'alter table orders rename to purchases',
      'alter table purchases rename column total to amount',
    ])
    await runAsOwner(opened.engine, BEFORE, 'insert into orders values (1, 5)')
    await runAsOwner(opened.engine, BEFORE, statements.join(';\n'))
    const reached = await loadStructure(opened.engine, BEFORE)
    const to = await structureOf(AFTER, RENAMED)
    expect(diffStatements(reached, to).statements.filter(({ destroys }) => destroys)).toEqual([])
  })

  it('of an unknown column are refused', async () => {
    const structure = await structureOf(BEFORE, ORDERS)
    const renames = [{ kind: 'column', from: 'orders.none', to: 'orders.other' }] as const
    expect(() => renameStatements(structure, renames)).toThrow(RenameError)
  })

  it('are proposed for a partitioned table, not for its partitions', async () => {
    const table = (column: string) =>
      `create table e (id integer, ${column} text) partition by range (id); create table e1 partition of e for values from (0) to (9);`
    const { renameCandidates } = await diff(table('note'), table('body'))
    expect(renameCandidates).toEqual([{ kind: 'column', from: 'e.note', to: 'e.body' }])
  })
})
