import { describe, expect, it } from 'vitest'
import { admitTenant } from '../../../emulator/control/quota.ts'
import type { PlanTier } from '../../../emulator/projects/project.ts'

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
