import { describe, expect, it } from 'vitest'
import {
  joiningIdentity,
  joinOf,
  NEW_JOIN,
  tokenOrderOf,
} from '../../../../../renderer/features/realtime/test-channels/join-draft.ts'

const ANON = { kind: 'anon' } as const

describe('joinOf', () => {
  it('adds the project’s schema to the name of a private channel only once', () => {
    const draft = { ...NEW_JOIN, topic: 'desk', isPrivate: true }
    expect(joinOf(draft, ANON, 'proj_a').topic).toBe('proj_a:desk')
    expect(joinOf({ ...draft, topic: 'proj_a:desk' }, ANON, 'proj_a').topic).toBe('proj_a:desk')
  })

  it('requests a table’s changes with the filter as typed', () => {
    const draft = { ...NEW_JOIN, table: 'notes', event: 'INSERT', filter: ' id=eq.1 ' } as const
    expect(joinOf(draft, ANON, 'proj_a').bindings).toEqual([
      { event: 'INSERT', schema: 'proj_a', table: 'notes', filter: 'id=eq.1' },
    ])
    expect(joinOf(NEW_JOIN, ANON, 'proj_a').bindings).toEqual([])
  })
})

describe('joiningIdentity', () => {
  it('is the identity of the context bar, or service_role for the owner', () => {
    expect(joiningIdentity(ANON)).toEqual(ANON)
    expect(joiningIdentity(null)).toEqual({ kind: 'service_role' })
  })

  it('is the presence key of the channel', () => {
    const draft = { ...NEW_JOIN, isPresent: true }
    expect(joinOf(draft, ANON, 'proj_a').presenceKey).toBe('anon')
  })
})

describe('tokenOrderOf', () => {
  it('requests a realtime token for the joining identity', () => {
    expect(tokenOrderOf({ kind: 'anon' }, 'a')).toEqual({
      project: 'a',
      kind: 'realtime_token',
      role: 'anon',
    })
    const claims = { sub: 'u1', role: 'authenticated', aal: 'aal2' }
    expect(tokenOrderOf({ kind: 'claims', role: 'authenticated', claims }, 'a')).toEqual({
      project: 'a',
      kind: 'realtime_token',
      role: 'authenticated',
      user: 'u1',
      claims: { aal: 'aal2' },
    })
  })
})
