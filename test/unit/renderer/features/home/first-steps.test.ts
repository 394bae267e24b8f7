// The first commands to try: complete in the clipboard, with shortened keys on the screen.
import { describe, expect, it } from 'vitest'
import type { ReadyLine } from '../../../../../emulator/contract/addresses.ts'
import { stepLine } from '../../../../../renderer/features/home/first-steps.ts'
import { parseHomeSearch, STEPS } from '../../../../../renderer/features/home/home-search.ts'

const TENANT = {
  id: 'ten_1',
  slug: 'aurora',
  schema_name: 'proj_aurora',
  project_id: 'p',
  anon_key: 'anon-key-that-is-long',
  service_role_key: 'service-key-that-is-long',
  buckets: [],
  management_key: 'management-key',
  postgres_url: null,
  users: [{ email: 'ana@patients.test', password: 'x' }],
}
const GROUP = {
  id: 'grp_1',
  name: 'Clinics',
  group_api_key: 'group-key-that-is-long',
  template_project_id: 'proj_clinics',
  tenants: [TENANT],
}
const INFO: ReadyLine = {
  auth_url: 'http://auth.test',
  data_url: 'http://data.test',
  storage_url: 'http://storage.test',
  realtime_url: 'ws://realtime.test',
  inspector_url: 'http://auth.test/_emulator/',
  postgres_url: null,
  data_dir: null,
  platform: { email: 'd@test', password: 'x', session_token: 's' },
  groups: [GROUP],
}
const WORLD = { info: INFO, group: GROUP, tenant: TENANT, table: 'rooms' }

describe('stepLine', () => {
  it.each(STEPS)('masks the keys of the step “%s”', (step) => {
    const { shown, command } = stepLine(step, WORLD)
    expect(shown).not.toContain('that-is-long')
    expect(command).toMatch(/^curl "http/)
  })

  it('reads rows of the table', () => {
    const { command } = stepLine('rows', WORLD)
    expect(command).toContain('"http://data.test/rooms?limit=5"')
    expect(command).toContain(`Bearer ${TENANT.service_role_key}`)
  })

  it('acts as the first user whose password is known', () => {
    expect(stepLine('identity', WORLD).command).toContain('"user":"ana@patients.test"')
    const nobody = { ...WORLD, tenant: { ...TENANT, users: [] } }
    expect(stepLine('identity', nobody).command).toContain('"role":"anon"')
  })
})

describe('the address of the home screen', () => {
  it('contains the step, except the first step', () => {
    expect(parseHomeSearch({ step: 'rows' })).toEqual({})
    expect(parseHomeSearch({ step: 'code' })).toEqual({ step: 'code' })
  })
})
