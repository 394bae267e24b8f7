// The cycles of a graph, and which foreign keys a clone writes inside `create table`.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { componentsOf } from '../../../../emulator/database/template/inlined-keys.ts'

const NODES = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const node = fc.constantFrom(...NODES)

describe('components', () => {
  it('are the same for two nodes exactly when each reaches the other', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node)), (edges) => {
        const componentOf = componentsOf(edges)
        const leads = (from: string, to: string): boolean => {
          const seen = new Set([from])
          for (const at of seen)
            for (const [source, target] of edges) if (source === at) seen.add(target)
          return seen.has(to)
        }
        const known = NODES.filter((name) => edges.flat().includes(name))
        for (const one of known)
          for (const other of known)
            expect(componentOf(one) === componentOf(other)).toBe(
              leads(one, other) && leads(other, one),
            )
      }),
    )
  })
})
