// The marks of a query plan: slow nodes, wrong estimates, closed nodes and the cost of policies.
import { describe, expect, it } from 'vitest'
import type { PlanNode } from '../../../../../emulator/contract/query-plans.ts'
import { openLines, planLines, policyCost } from '../../../../../renderer/parts/plan/plan-model.ts'

function node(more: Partial<PlanNode>): PlanNode {
  return {
    parent: null,
    depth: 0,
    type: 'Seq Scan',
    relation: null,
    alias: null,
    index: null,
    subplan: null,
    startup_cost: 0,
    total_cost: 100,
    whole_cost: 100,
    self_cost: 10,
    rows: 10,
    measured: null,
    rows_removed: null,
    conditions: [],
    is_policy: false,
    policies: [],
    details: {},
    ...more,
  }
}

function measured(rows: number, own: number, total = own): PlanNode['measured'] {
  return { rows, loops: 1, total_ms: total, self_ms: own }
}

describe('a query plan', () => {
  it('marks nodes that need much of the measured time', () => {
    const nodes = [
      node({ measured: measured(10, 2, 10) }),
      node({ parent: 0, measured: measured(10, 8) }),
    ]
    expect(planLines({ nodes }).map(({ share, isSlow }) => [share, isSlow])).toEqual([
      [0.2, false],
      [0.8, true],
    ])
  })

  it('marks no node of a statement that takes less than a millisecond, or was not measured', () => {
    const fast = [node({ measured: measured(1, 0.02) })]
    expect(planLines({ nodes: fast })[0]).toMatchObject({ share: 1, isSlow: false })
    expect(planLines({ nodes: [node({ self_cost: 50 })] })[0]).toMatchObject({
      share: 0.5,
      isSlow: false,
    })
  })

  it.each([
    [10, 5_000, 500],
    [5_000, 10, 500],
    [0, 40, undefined],
    [100, 900, undefined],
  ])('compares %d estimated with %d actual rows', (rows, actual, factor) => {
    const nodes = [node({ rows, measured: measured(actual, 1) })]
    expect(planLines({ nodes })[0]?.misjudged).toBe(factor)
  })

  it('hides everything below a closed node', () => {
    const nodes = [node({}), node({ parent: 0 }), node({ parent: 1 }), node({ parent: 0 })]
    const lines = openLines(planLines({ nodes }), new Set([1]))
    expect(lines.map(({ index }) => index)).toEqual([0, 1, 3])
  })

  it('adds up the time of policies’ conditions and subqueries', () => {
    const condition = { kind: 'Filter', text: 'a', is_policy: true }
    const nodes = [
      node({ self_cost: 50 }),
      node({
        parent: 0,
        relation: 'notes',
        self_cost: 30,
        conditions: [condition],
        policies: ['own'],
        rows_removed: 7,
      }),
      node({ parent: 1, relation: 'members', self_cost: 10, is_policy: true }),
    ]
    expect(policyCost(planLines({ nodes }))).toEqual({
      policies: ['own'],
      relations: ['notes'],
      removed: 7,
      share: 0.4,
    })
    expect(policyCost(planLines({ nodes: nodes.slice(0, 1) }))).toBeUndefined()
  })
})
