import { afterEach, describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import { openSystemDb } from '../../../emulator/database/system-db/system-db.ts'
import {
  AUTH_SETTINGS_MIGRATIONS,
  createAuthSettingsStore,
  DEFAULT_AUTH_SETTINGS,
} from '../../../emulator/services/auth/auth-settings.ts'

const TENANT = trusted.projectId('tenant')
const TEMPLATE = trusted.projectId('template')
const SOURCE = trusted.projectId('source')

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function open(parents: Readonly<Record<string, string>> = {}) {
  const db = openSystemDb({ file: undefined, migrations: [AUTH_SETTINGS_MIGRATIONS] })
  closers.push(() => db.close())
  return createAuthSettingsStore(db, {
    templateOf: (id) => {
      const parent = parents[id]
      return parent === undefined ? undefined : trusted.projectId(parent)
    },
  })
}

describe('auth settings store', () => {
  it('returns the defaults until a setting is changed', () => {
    expect(open().settingsOf(TENANT)).toEqual(DEFAULT_AUTH_SETTINGS)
  })

  it('merges changes and keeps the other settings', () => {
    const store = open()
    store.change(TENANT, { confirmEmail: true, passwordMinLength: 8 })
    expect(store.change(TENANT, { passwordMinLength: 12 })).toEqual({
      ...DEFAULT_AUTH_SETTINGS,
      confirmEmail: true,
      passwordMinLength: 12,
    })
  })

  it('inherits settings from the template, which inherits from its source', () => {
    const store = open({ tenant: 'template', template: 'source' })
    store.change(SOURCE, { redirectUrls: ['https://source.test/'], signupClosed: true })
    store.change(TEMPLATE, { redirectUrls: ['https://template.test/'], sms: 'not_configured' })
    store.change(TENANT, { sms: 'works' })
    expect(store.settingsOf(TENANT)).toMatchObject({
      redirectUrls: ['https://template.test/'],
      signupClosed: true,
      sms: 'works',
    })
  })

  it('uses the template’s setting when the project’s own setting is removed', () => {
    const store = open({ tenant: 'template' })
    store.change(TEMPLATE, { signupClosed: true })
    store.change(TENANT, { signupClosed: false })
    expect(store.change(TENANT, { signupClosed: undefined }).signupClosed).toBe(true)
    expect(store.ownSettingsOf(TENANT)).toEqual({})
  })

  it('forgets the settings of an erased project', () => {
    const store = open()
    store.change(TENANT, { confirmEmail: true })
    store.erase(TENANT)
    expect(store.settingsOf(TENANT)).toEqual(DEFAULT_AUTH_SETTINGS)
  })
})
