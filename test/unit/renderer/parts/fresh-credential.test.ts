import { describe, expect, it } from 'vitest'
import { freshCredentialOf } from '../../../../renderer/parts/fresh-credential.ts'
import { entryWith } from '../features/requests/journal-entry.ts'

const orderOf = (...[entry, claims]: readonly [ReturnType<typeof entryWith>, object?]) => {
  const source = freshCredentialOf(entry, (claims ?? null) as never, undefined)
  return source.kind === 'mint' ? source.order : source.kind
}

describe('freshCredentialOf', () => {
  it('mints a key for a key, and a user’s token for a user’s token', () => {
    expect(orderOf(entryWith())).toEqual({ project: 'proj_aurora', kind: 'anon_key' })
    const ana = { role: 'authenticated', subject: 'ana', credential_kind: 'dataPlaneToken' }
    expect(orderOf(entryWith(ana))).toEqual({
      project: 'proj_aurora',
      kind: 'data_plane_token',
      user: 'ana',
    })
  })

  it('mints a storage token for storage', () => {
    const entry = entryWith({ service: 'storage', credential_kind: 'storageToken' })
    expect(orderOf(entry)).toEqual({ project: 'proj_aurora', kind: 'storage_token', role: 'anon' })
  })

  it('uses the claims when the request was refused before its identity was known', () => {
    const entry = entryWith({ schema_name: null, role: null, subject: null, credential_kind: null })
    const claims = { project_schema: 'proj_boavista', role: 'authenticated', sub: 'leo' }
    expect(orderOf(entry, claims)).toEqual({
      project: 'proj_boavista',
      kind: 'data_plane_token',
      user: 'leo',
    })
    expect(orderOf(entry)).toBe('none')
  })

  it('returns none for a credential that Tenantry cannot mint', () => {
    expect(orderOf(entryWith({ credential_kind: 'accessToken' }))).toBe('none')
  })
})
