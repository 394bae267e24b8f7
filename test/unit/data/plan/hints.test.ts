import { describe, expect, it } from 'vitest'
import {
  relationshipHint,
  routineHint,
  tableHint,
} from '../../../../emulator/services/data/plan/hints.ts'
import {
  keyOf,
  type Routine,
} from '../../../../emulator/services/data/schema-cache/schema-cache.ts'
import { clinicCache } from '../sql/clinic-cache.ts'

const named = (name: string) => ({ schema: 'proj_x', name })

function routine(name: string, parameters: readonly string[]): Routine {
  return {
    ...named(name),
    oid: '1',
    comment: undefined,
    parameters: parameters.map((each) => ({
      name: each,
      type: 'text',
      looseType: 'text',
      isRequired: true,
      isVariadic: false,
    })),
    returns: {
      isSet: false,
      kind: 'scalar',
      type: { schema: 'pg_catalog', name: 'text' },
      isDomain: false,
    },
    volatility: 'volatile',
    hasVariadic: false,
    settings: [],
  }
}

const rename = [routine('rename', ['id', 'name']), routine('rename', ['old', 'new'])]
const cache = { ...clinicCache(), routines: new Map([[keyOf(named('rename')), rename]]) }

describe('a hint', () => {
  it('is absent when the schema has five hundred tables', () => {
    const { tables } = clinicCache()
    const [clinics] = tables.values()
    if (clinics === undefined) throw new Error('there are no clinics')
    const many = (count: number) => {
      const all = Array.from({ length: count }, (_, index) => ({ ...clinics, name: `t${index}` }))
      return { ...cache, tables: new Map([clinics, ...all].map((each) => [keyOf(each), each])) }
    }
    expect(tableHint(many(498), named('clinic'))).toHaveProperty('hint')
    expect(tableHint(many(499), named('clinic'))).toEqual({})
  })

  it('names a table with a similar name in the same schema', () => {
    expect(tableHint(cache, named('clinic'))).toEqual({
      hint: "Perhaps you meant the table 'proj_x.clinics'",
    })
    expect(tableHint(cache, named('patients'))).toEqual({})
    expect(tableHint(cache, { schema: 'proj_y', name: 'clinic' })).toEqual({})
  })

  it('names a function with a similar name', () => {
    expect(routineHint(cache, named('renam'), [])).toEqual({
      hint: 'Perhaps you meant to call the function proj_x.rename',
    })
    expect(routineHint(cache, named('delete'), [])).toEqual({})
  })

  it('names the arguments of the closest overload, in alphabetical order', () => {
    expect(routineHint(cache, named('rename'), ['nam', 'id'])).toEqual({
      hint: 'Perhaps you meant to call the function proj_x.rename(id, name)',
    })
  })

  it('names a similar related table, or a similar table that has relationships', () => {
    expect(relationshipHint(cache, named('clinics'), 'visit')).toEqual({
      hint: "Perhaps you meant 'visits' instead of 'visit'.",
    })
    expect(relationshipHint(cache, named('clinic'), 'visits')).toEqual({
      hint: "Perhaps you meant 'clinics' instead of 'clinic'.",
    })
  })

  it('is absent when the related table was named correctly', () => {
    expect(relationshipHint(cache, named('clinics'), 'visits')).toEqual({})
  })

  it('is absent when the name is very long', () => {
    expect(tableHint(cache, named('clinics'.repeat(100)))).toEqual({})
  })
})
