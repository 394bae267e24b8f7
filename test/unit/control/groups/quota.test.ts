import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { admitTenant } from '../../../../emulator/control/groups/quota.ts'
import type { PlanTier } from '../../../../emulator/projects/project.ts'
import {
  FREE_PLAN_STORAGE,
  INCLUDED_TENANTS,
  PLATFORM_BUCKET_LIMIT,
  TENANT_CEILING,
} from '../../../../emulator/projects/quotas.ts'

const LIMITS_PAGE = readFileSync('docs/wire/limits.md', 'utf8')

describe('docs/wire/limits.md', () => {
  it.each([
    ['active tenants of a group', String(TENANT_CEILING)],
    ['tenants included in the free plan', String(INCLUDED_TENANTS.free)],
    ['file in a bucket made through the platform', PLATFORM_BUCKET_LIMIT],
    ['storage of a free project', FREE_PLAN_STORAGE],
  ])('has the number of %s', (row, number) => {
    const line = LIMITS_PAGE.split('\n').find((text) => text.startsWith(`| ${row}`))
    expect(line?.split('|')[2]).toContain(` ${number}`)
  })
})

describe('admitTenant', () => {
  it.each<[PlanTier, number]>([
    ['free', 1],
    ['site', 3],
    ['pro', 10],
    ['scale', 99],
  ])('lets another tenant into a %s group of %i', (plan, occupied) => {
    expect(() => admitTenant(plan, occupied)).not.toThrow()
  })

  it.each<[PlanTier, number, string]>([
    ['free', 2, 'tenant_quota_exceeded'],
    ['free', 100, 'tenant_limit_reached'],
    ['site', 100, 'tenant_limit_reached'],
    ['scale', 100, 'tenant_limit_reached'],
  ])('refuses one more in a %s group of %i with %s', (plan, occupied, code) => {
    expect(() => admitTenant(plan, occupied)).toThrow(expect.objectContaining({ code }))
  })
})
