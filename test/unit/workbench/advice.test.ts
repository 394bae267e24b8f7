// The pure parts of plan advice: values instead of placeholders, calls in policies, and the columns that scans compare.
import { beforeAll, describe, expect, it } from 'vitest'
import type { PlanNode } from '../../../emulator/contract/query-plans.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { loadSqlParser, type SqlParser } from '../../../emulator/database/sql-parser.ts'
import type { SecuredTable } from '../../../emulator/insight/tables/table.ts'
import { adviseOn, callOnce } from '../../../emulator/insight/workbench/plans/advise.ts'
import { rowsRead, scansOf } from '../../../emulator/insight/workbench/plans/scans.ts'
import { prepareBound } from '../../../emulator/insight/workbench/sql/bind-values.ts'
import { prepareScript } from '../../../emulator/insight/workbench/sql/prepare-script.ts'

let parser: SqlParser
beforeAll(async () => {
  parser = await loadSqlParser()
})

describe('values of placeholders', () => {
  const bind = (text: string, values: readonly (string | null)[]) =>
    prepareBound(parser, text, values, (use, bound) =>
      prepareScript(use, bound, trusted.schemaName('proj_x')),
    )
  const textOf = (text: string, values: readonly (string | null)[]) => {
    const bound = bind(text, values)
    return bound.kind === 'ready' ? bound.text.split('\nlimit')[0] : bound.failure
  }

  it('become literals, but not in strings, names and comments', () => {
    expect(textOf('select $1::int, $2, \'$1\', "$1" /* $2 */', ['4', null])).toBe(
      "select '4'::int, null, '$1', \"$1\" /* $2 */",
    )
    expect(textOf('select $2 || $1', ["it's", 'a\\b'])).toBe("select  E'a\\\\b' || 'it''s'")
  })

  it('cannot end a literal', () => {
    expect(textOf('select $1', ["'; drop table t; --"])).toBe("select '''; drop table t; --'")
  })

  it('are refused when one is missing, and do not shift error positions', () => {
    expect(textOf('select $1, $2', ['1'])).toMatchObject({ code: '42P02', position: 12 })
    const bound = bind('select $1, nothing', ['a long value'])
    if (bound.kind !== 'ready') throw new Error('refused')
    const position = bound.text.indexOf('nothing') + 1
    expect(bound.positionOf(position)).toBe('select $1, '.length + 1)
  })
})

describe('a policy that calls a function for each row', () => {
  const steady = new Set(['my_team'])

  it.each([
    ['(owner = auth.uid())', '(owner = (select auth.uid()))'],
    ["((auth.jwt() ->> 'role'::text) = kind)", "(((select auth.jwt()) ->> 'role'::text) = kind)"],
    [
      '(team = my_team()) OR (my_team() IS NULL)',
      '(team = (select my_team())) OR ((select my_team()) IS NULL)',
    ],
    ['(owner = ( SELECT auth.uid() AS uid))', undefined],
    ['may_see(id)', undefined],
    ['(random() > 0.5)', undefined],
    ['my_team(id) = 1', undefined],
  ])('is rewritten from %s to %s', (before, after) => {
    expect(callOnce(parser, before, steady)?.text).toBe(after)
  })
})

function scan(more: Partial<PlanNode>): PlanNode {
  return {
    parent: null,
    depth: 0,
    type: 'Seq Scan',
    relation: 'notes',
    alias: 'notes',
    index: null,
    subplan: null,
    startup_cost: 0,
    total_cost: 1,
    whole_cost: 1,
    self_cost: 1,
    rows: 1,
    measured: { rows: 2, loops: 3, total_ms: 1, self_ms: 1 },
    rows_removed: 94,
    conditions: [],
    is_policy: false,
    policies: [],
    details: {},
    ...more,
  }
}

describe('the scans of a plan', () => {
  it('count rows that were kept and removed, in all loops', () => {
    const nodes = [scan({}), scan({ type: 'CTE Scan' }), scan({ type: 'Hash', relation: null })]
    expect(rowsRead(nodes)).toBe(100)
    expect(rowsRead([scan({ measured: null })])).toBeNull()
  })

  it.each([
    ["((notes.owner = 'x'::uuid) AND (notes.at > now()))", ['owner'], ['at'], []],
    ['(notes.owner = (InitPlan 1).col1)', ['owner'], [], []],
    ["((notes.kind)::text = 'a'::text)", ['kind'], [], []],
    ["((notes.owner = 'x'::uuid) OR (notes.team = 3))", [], [], ['owner', 'team']],
    ['((notes.owner = auth.uid()) OR notes.is_public)', [], [], []],
    ['(notes.team = teams.id)', ['team'], [], []],
    ["(notes.team = ANY ('{1,2}'::integer[]))", ['team'], [], []],
    ['(lower(notes.body) = $1)', [], [], []],
    ['(notes.a = notes.b)', [], [], []],
    ['(ANY (notes.team = (hashed SubPlan 2).col1))', [], [], []],
  ])('find in %s the compared columns %j', (text, equal, ranges, either) => {
    const conditions = [{ kind: 'Filter', text, is_policy: false }]
    const [found] = scansOf(parser, [scan({ conditions })])
    const { equal: same = [], ranges: between = [], either: sides = [] } = found ?? {}
    expect([same, between, sides]).toEqual([equal, ranges, either])
  })

  it('contain the columns of a sort above the scan', () => {
    const sort = scan({
      type: 'Sort',
      relation: null,
      alias: null,
      details: { 'Sort Key': 'notes.at DESC NULLS LAST, notes.id' },
    })
    expect(scansOf(parser, [sort, scan({ parent: 0 })])[0]?.order).toEqual([
      '"at" DESC NULLS LAST',
      '"id"',
    ])
  })
})

describe('advice on an index', () => {
  const table = {
    name: 'notes',
    kind: 'table',
    columns: [{ name: 'owner' }, { name: 'age' }],
    foreignKeys: [],
    policies: [],
  } as unknown as SecuredTable
  const indexesFor = (text: string) => {
    const conditions = [{ kind: 'Filter', text, is_policy: false }]
    const node = scan({ conditions, rows: 10_000, rows_removed: 10_000 })
    const all = adviseOn(parser, [node], [table], new Set())
    return all.flatMap(({ kind, sql }) => (kind === 'index' ? sql : []))
  }

  it('names a column only once when the column is compared twice', () => {
    expect(indexesFor('((notes.owner = 7) AND (notes.age < 9))')[0]).toBe(
      'create index on "notes" ("owner", "age");',
    )
    expect(indexesFor('((notes.age = 7) AND (notes.age < 9))')).toEqual([
      'create index on "notes" ("age");',
    ])
  })
})
