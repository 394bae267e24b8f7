// Presence of one room as text (docs/wire/realtime.md#presence).
import { describe, expect, it } from 'vitest'
import { Presence } from '../../../emulator/services/realtime/channels/presence.ts'

const parse = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text))

describe('presence', () => {
  it('reports joins, leaves, and updates with the ref of the previous state', () => {
    const presence = new Presence<string>()
    expect(parse(presence.track('phone', 'ana', 'r1', '{"a":1}'))).toEqual({
      joins: { ana: { metas: [{ a: 1, phx_ref: 'r1' }] } },
      leaves: {},
    })
    expect(parse(presence.track('phone', 'ana', 'r2', '{"a":2}'))).toEqual({
      joins: { ana: { metas: [{ a: 2, phx_ref: 'r2', phx_ref_prev: 'r1' }] } },
      leaves: { ana: { metas: [{ a: 1, phx_ref: 'r1' }] } },
    })
    expect(parse(presence.untrack('phone'))).toEqual({
      joins: {},
      leaves: { ana: { metas: [{ a: 2, phx_ref: 'r2', phx_ref_prev: 'r1' }] } },
    })
    expect(presence.stateText()).toBe('{}')
  })

  it('sends nothing when nothing changes', () => {
    const presence = new Presence<string>()
    presence.track('phone', 'ana', 'r1', '{}')
    expect(presence.track('phone', 'ana', 'r2', '{}')).toBeUndefined()
    expect(presence.untrack('desk')).toBeUndefined()
  })

  it('lists the states of a key, the oldest first', () => {
    const presence = new Presence<string>()
    presence.track('phone', 'ana', 'r1', '{}')
    presence.track('desk', 'ana', 'r2', '{"b":1}')
    presence.track('other', '"quoted"', 'r3', '{}')
    expect(parse(presence.stateText())).toEqual({
      ana: { metas: [{ phx_ref: 'r1' }, { b: 1, phx_ref: 'r2' }] },
      '"quoted"': { metas: [{ phx_ref: 'r3' }] },
    })
  })
})
