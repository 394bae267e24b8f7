// Objects whose definition needs a cast are created after this cast.
import { describe, expect, it } from 'vitest'
import type { CastRecord } from '../../../../emulator/database/catalog/expressions.ts'
import { castNeeds } from '../../../../emulator/database/template/cast-needs.ts'

const WITH_FUNCTION: CastRecord = {
  key: 'cast:color as json',
  source: 'color',
  target: 'json',
  function: 'color_json(color)',
  context: 'implicit',
}
const THROUGH_TEXT: CastRecord = {
  key: 'cast:level as text',
  source: 'level',
  target: 'text',
  context: 'explicit',
}

function needs(cast: CastRecord, edges: readonly (readonly [string, string])[]): readonly string[] {
  const dependencies = edges.map(([from, to]) => ({ key: `${from} > ${to}`, from, to }))
  return castNeeds({ casts: [cast], dependencies }).map(({ from, to }) => `${from} > ${to}`)
}

describe('castNeeds', () => {
  it('makes statements that call the cast’s function wait for the cast', () => {
    const edges = [
      ['cast:color as json', 'routine:color_json(color)'],
      ['relation:shades', 'routine:color_json(color)'],
    ] as const
    expect(needs(WITH_FUNCTION, edges)).toEqual(['relation:shades > cast:color as json'])
  })

  it('makes statements that use a type wait for its casts through text', () => {
    const edges = [
      ['cast:level as text', 'type:level'],
      ['type:low_level', 'type:level'],
    ] as const
    expect(needs(THROUGH_TEXT, edges)).toEqual(['type:low_level > cast:level as text'])
  })

  it('omits objects that the cast itself needs, directly or indirectly', () => {
    const edges = [
      ['cast:color as json', 'routine:color_json(color)'],
      ['routine:color_json(color)', 'relation:shades'],
      ['relation:shades', 'routine:color_json(color)'],
    ] as const
    expect(needs(WITH_FUNCTION, edges)).toEqual([])
  })

  it('is empty when there are no casts', () => {
    expect(castNeeds({ casts: [], dependencies: [{ key: 'a > b', from: 'a', to: 'b' }] })).toEqual(
      [],
    )
  })
})
