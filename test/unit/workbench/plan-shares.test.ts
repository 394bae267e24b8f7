// The shares of a plan's nodes: repeated nodes count with their repetitions, and all shares add up to the whole.
import { describe, expect, it } from 'vitest'
import { parsePlan } from '../../../emulator/insight/workbench/sql/plan-nodes.ts'

interface Fields {
  readonly [name: string]: unknown
  readonly Plans?: readonly Fields[]
}

const node = (
  type: string,
  [cost, rows]: readonly [cost: number, rows: number],
  more: Fields = {},
): Fields => ({ 'Node Type': type, 'Total Cost': cost, 'Plan Rows': rows, ...more })

const outer = { 'Parent Relationship': 'Outer' }
const inner = { 'Parent Relationship': 'Inner' }

const measured = (millis: number, loops: number, more: Fields = {}): Fields => ({
  'Actual Total Time': millis,
  'Actual Loops': loops,
  'Actual Rows': 1,
  ...more,
})

function nodesOf(plan: Fields) {
  return parsePlan(JSON.stringify([{ Plan: plan }])).nodes
}

function ownCosts(plan: Fields): readonly number[] {
  return nodesOf(plan).map(({ self_cost: cost }) => Math.round(cost))
}

const LOOP = node('Nested Loop', [11_000, 8_900], {
  Plans: [
    node('Seq Scan', [500, 8_900], outer),
    node('Index Scan', [1, 1], { ...inner, 'Relation Name': 'invoices' }),
  ],
})

const MEMOIZED = node('Nested Loop', [900, 1_000], {
  Plans: [
    node('Seq Scan', [500, 1_000], outer),
    node('Memoize', [8, 1], { ...inner, Plans: [node('Index Scan', [7, 1], outer)] }),
  ],
})

const MATERIALIZED = node('Nested Loop', [1_000, 10_000], {
  Plans: [
    node('Seq Scan', [100, 100], outer),
    node('Materialize', [51, 100], { ...inner, Plans: [node('Seq Scan', [50, 100], outer)] }),
  ],
})

const LIMITED = node('Limit', [60, 5], {
  Plans: [node('Sort', [600, 1_000], { ...outer, Plans: [node('Seq Scan', [300, 1_000], outer)] })],
})

const subplan = (filter: string) =>
  node('Seq Scan', [2_000, 100], {
    Filter: filter,
    Plans: [
      node('Index Scan', [8, 1], {
        'Parent Relationship': 'SubPlan',
        'Subplan Name': 'SubPlan 1',
      }),
    ],
  })

const WITH_CTE = node('Nested Loop', [1_000, 100], {
  ...measured(20, 1),
  Plans: [
    node('Seq Scan', [100, 10], {
      ...measured(5, 1),
      'Parent Relationship': 'InitPlan',
      'Subplan Name': 'CTE x',
    }),
    node('CTE Scan', [2, 10], { ...outer, ...measured(6, 1), 'CTE Name': 'x' }),
    node('CTE Scan', [2, 10], { ...inner, ...measured(0.5, 10), 'CTE Name': 'x' }),
  ],
})

describe('parsePlan', () => {
  it.each([
    ['the inner side of a Nested Loop once for each outer row', LOOP, [1_600, 500, 8_900]],
    ['a Materialize once, and its kept rows again', MATERIALIZED, [824, 100, 26, 50]],
    ['a Memoize with at most what its Nested Loop has left', MEMOIZED, [0, 500, 50, 350]],
    ['the nodes below a Limit with at most its cost', LIMITED, [0, 30, 30]],
    ['a subplan for each row before the filter', subplan('EXISTS(SubPlan 1)'), [400, 1_600]],
    ['a hashed subplan once', subplan('(ANY (x = (hashed SubPlan 1).col1))'), [1_992, 8]],
    ['another hashed subplan', subplan('(SubPlan 1) OR (hashed SubPlan 11)'), [400, 1_600]],
  ])('counts %s', (_, plan, expected) => {
    expect(ownCosts(plan)).toEqual(expected)
  })

  it('gives the cost of all executions beside the cost of one', () => {
    expect(nodesOf(LOOP)[2]).toMatchObject({ total_cost: 1, whole_cost: 8_900, self_cost: 8_900 })
  })

  it.each([
    ['Nested Loop', LOOP],
    ['Memoize', MEMOIZED],
    ['Materialize', MATERIALIZED],
    ['Limit', LIMITED],
    ['SubPlan', subplan('EXISTS(SubPlan 1)')],
    ['CTE', WITH_CTE],
    [
      'nested loops',
      node('Nested Loop', [500, 9], {
        Plans: [node('Seq Scan', [10, 50], outer), { ...LOOP, ...inner }],
      }),
    ],
    [
      'Merge Join that stops early',
      node('Merge Join', [50, 9], {
        Plans: [node('Sort', [90, 9], outer), node('Sort', [40, 9], inner)],
      }),
    ],
    ['empty costs', node('Result', [0, 0], { Plans: [node('Result', [3, 1], outer)] })],
  ])('adds the shares up to the cost of the statement: %s', (_, plan) => {
    const nodes = nodesOf(plan)
    const [root] = nodes
    for (const { self_cost: own, whole_cost: whole } of nodes) {
      expect(own).toBeGreaterThanOrEqual(0)
      expect(own).toBeLessThanOrEqual(whole)
    }
    const sum = nodes.reduce((total, { self_cost: own }) => total + own, 0)
    expect(sum).toBeCloseTo(root?.total_cost ?? 0, 6)
  })

  it('adds measured times of all loops up to the time of the statement', () => {
    const own = nodesOf(WITH_CTE).map(({ measured: found }) => found?.self_ms ?? 0)
    expect(own.every((millis) => millis >= 0)).toBe(true)
    expect(own.reduce((total, millis) => total + millis, 0)).toBeCloseTo(20, 6)
  })

  it('ends for CTEs of the same name in each other', () => {
    const cte = (...plans: Fields[]): Fields =>
      node('Subquery Scan', [5, 1], { ...measured(1, 1), 'Subplan Name': 'CTE x', Plans: plans })
    const scan = node('CTE Scan', [5, 1], { ...outer, ...measured(1, 1), 'CTE Name': 'x' })
    const plan = node('Append', [9, 1], {
      ...measured(4, 1),
      Plans: [cte(cte(scan), scan), cte(scan), scan],
    })
    const sum = nodesOf(plan).reduce(
      (total, { measured: found }) => total + (found?.self_ms ?? 0),
      0,
    )
    expect(sum).toBeLessThanOrEqual(4.000_001)
  })
})
