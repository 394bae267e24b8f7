import { describe, expect, it } from 'vitest'
import { defined } from '../../../emulator/core/defined.ts'

describe('defined', () => {
  it('drops undefined members and keeps the order of the other members', () => {
    const kept = defined({ z: 1, gone: undefined, a: null, m: false, empty: '' })
    expect(kept).toStrictEqual({ z: 1, a: null, m: false, empty: '' })
    expect(Object.keys(kept)).toEqual(['z', 'a', 'm', 'empty'])
  })

  it('turns members that can be undefined into optional members', () => {
    const limit = (process.argv.length > 0 ? 3 : undefined) as number | undefined
    const kept: { readonly name: string; readonly limit?: number } = defined({ name: 'x', limit })
    expect(kept).toStrictEqual({ name: 'x', limit: 3 })
    // @ts-expect-error: a member that can be undefined may be absent from the copy.
    const sure: { readonly limit: number } = defined({ limit })
    expect(sure).toStrictEqual({ limit: 3 })
  })

  it('copies a member named __proto__ as an own member', () => {
    const kept = defined(JSON.parse('{"__proto__":1}') as object)
    expect(Object.keys(kept)).toEqual(['__proto__'])
  })
})
