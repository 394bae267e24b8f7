// renderer/parts/x-ray-model.ts: the trees that an X-ray shows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  ClauseVerdict,
  ConditionLeaf,
  PolicyVerdict,
  TruthValue,
} from '../../../../emulator/contract/explain.ts'
import { allOf, anyOf, xRayClause } from '../../../../renderer/parts/x-ray-model.ts'

function leaf(text: string, value: TruthValue, decided = false): ConditionLeaf {
  return {
    kind: 'leaf',
    text,
    value,
    decided,
    operator: '=',
    operands: [],
    error: null,
    note: null,
  }
}
function policy(name: string, permissive: boolean, tree: PolicyVerdict['tree']): PolicyVerdict {
  return { name, permissive, value: tree.value, decided: tree.decided, text: tree.text, tree }
}
function clause(policies: readonly PolicyVerdict[], allowed: boolean): ClauseVerdict {
  return {
    clause: 'using',
    command: 'select',
    of: 'old_row',
    value: allowed ? 'true' : 'false',
    allowed,
    policies,
  }
}

describe('the X-ray of a clause', () => {
  it('separates permissive from restrictive policies, with the value of each side', () => {
    const drawn = xRayClause(
      clause(
        [
          policy('own', true, leaf('a = b', 'true')),
          policy('shared', true, leaf('is_shared', 'null')),
          policy('open_hours', false, leaf('hour < 18', 'false', true)),
        ],
        false,
      ),
      'select',
    )
    expect([
      drawn.permissive.value,
      drawn.permissive.decided,
      drawn.restrictive.value,
      drawn.restrictive.decided,
    ]).toEqual(['true', false, 'false', true])
  })

  it('names a clause by its purpose, and adds the command when it differs', () => {
    const drawn = xRayClause(clause([], true), 'update')
    expect(drawn.title).toBe('using of select, on the existing row')
  })
})

describe('three-valued logic', () => {
  const values = fc.array(fc.constantFrom<TruthValue>('true', 'false', 'null'))
  const not = { true: 'false', false: 'true', null: 'null', error: 'error' } as const

  it('obeys De Morgan’s law', () => {
    fc.assert(
      fc.property(values, (list) => {
        expect(not[anyOf(list)]).toBe(allOf(list.map((value) => not[value])))
      }),
    )
  })

  it('gives false for no permissive policies, and true for no restrictive policies', () => {
    expect([anyOf([]), allOf([])]).toEqual(['false', 'true'])
  })
})
