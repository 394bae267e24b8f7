import { describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import type { RowsPlan } from '../../../emulator/services/data/plan/plan.ts'
import { type DataSettings, tenantSettings } from '../../../emulator/services/data/settings.ts'
import {
  millisOf,
  transactionSettings,
} from '../../../emulator/services/data/transaction-settings.ts'

const PLATFORM = tenantSettings(trusted.schemaName('proj_a'), 8_000)

const WITH_ROLES: DataSettings = {
  ...PLATFORM,
  roleSettings: new Map([
    ['anon', { isolation: 'repeatable read', settings: { statement_timeout: '1s' } }],
  ]),
}

function call(...settings: readonly (readonly [string, string])[]): RowsPlan {
  // Only the kind and the function's settings matter here.
  return { kind: 'call', routine: { settings } } as unknown as RowsPlan
}

describe('transactionSettings (PostgREST: Isolation Level, Impersonated and Hoisted Settings)', () => {
  it('leaves everything at its default for a role and a function without settings', () => {
    expect(transactionSettings(PLATFORM, 'anon', call())).toEqual({
      ofRole: {},
      ofRoutine: {},
      timeoutMillis: 8_000,
    })
  })

  it('uses the isolation level, settings and timeout of the role', () => {
    expect(transactionSettings(WITH_ROLES, 'anon', undefined)).toEqual({
      isolation: 'repeatable read',
      ofRole: { statement_timeout: '1s' },
      ofRoutine: {},
      timeoutMillis: 1_000,
    })
  })

  it('prefers the settings of the function to the settings of the role', () => {
    const plan = call(
      ['default_transaction_isolation', 'Serializable'],
      ['statement_timeout', '3s'],
    )
    expect(transactionSettings(WITH_ROLES, 'anon', plan)).toMatchObject({
      isolation: 'serializable',
      timeoutMillis: 3_000,
    })
  })

  it('treats a function’s read committed as Postgres’s default', () => {
    const plan = call(['default_transaction_isolation', 'read committed'])
    expect(transactionSettings(WITH_ROLES, 'anon', plan).isolation).toBeUndefined()
  })

  it('applies only listed settings of a function to the whole transaction, but always its isolation level', () => {
    const plan = call(['work_mem', '1MB'], ['default_transaction_isolation', 'serializable'])
    const made = transactionSettings({ ...PLATFORM, hoistedTxSettings: [] }, 'anon', plan)
    expect(made).toMatchObject({ isolation: 'serializable', ofRoutine: {} })
  })

  it('limits a function’s statement_timeout, and uses the default for 0 and invalid values', () => {
    const timeOf = (text: string) =>
      transactionSettings(PLATFORM, 'anon', call(['statement_timeout', text])).timeoutMillis
    expect([timeOf('1d'), timeOf('0'), timeOf('soon')]).toEqual([60_000, 8_000, 8_000])
  })
})

describe('millisOf', () => {
  it.each([
    ['250', 250],
    ['4s', 4_000],
    [' 1.5 s ', 1_500],
    ['2min', 120_000],
    ['1h', 3_600_000],
    ['900us', 1],
    ['4 parsecs', undefined],
    ['', undefined],
  ])('reads %j as %s', (text, millis) => {
    expect(millisOf(text)).toBe(millis)
  })
})
