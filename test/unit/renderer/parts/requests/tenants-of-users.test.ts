import { expect, it } from 'vitest'
import { tenantsOfUsers } from '../../../../../renderer/parts/requests/request-words.ts'
import { entryWith } from '../../features/requests/journal-entry.ts'

it('tenantsOfUsers returns only tenants whose users sent a request', () => {
  const entries = [
    entryWith({ schema_name: 'proj_aurora', subject: null, role: 'anon' }),
    entryWith({ schema_name: 'proj_boavista', subject: 'c0ffee' }),
    entryWith({ schema_name: 'proj_celeste', subject: 'apikey:1' }),
    entryWith({ schema_name: 'proj_dourado', subject: 'op', credential_kind: 'sessionToken' }),
    entryWith({ schema_name: 'proj_boavista', subject: 'facade' }),
  ]
  expect(tenantsOfUsers(entries)).toEqual(['boavista'])
})
