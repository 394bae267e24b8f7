// Limits the number of tenants of a group (docs/wire/platform.md#quotas). Pure.
import type { PlanTier } from '../../../core/plan-tiers.ts'

import { INCLUDED_TENANTS, TENANT_CEILING } from '../../../platform/projects/quotas.ts'
import { ManagementError } from '../errors.ts'

/** Returns the maximum number of tenants of a group on this plan. */
export function tenantLimitOf(planTier: PlanTier): number {
  return planTier === 'free' ? INCLUDED_TENANTS.free : TENANT_CEILING
}

/**
 * Throws when the group can have no further tenant. `occupied` counts active tenants and those being created.
 * @throws {ManagementError} `tenant_limit_reached`, `tenant_quota_exceeded`
 */
export function admitTenant(planTier: PlanTier, occupied: number): void {
  if (occupied >= TENANT_CEILING)
    throw new ManagementError(
      'tenant_limit_reached',
      `The group has reached the ceiling of ${TENANT_CEILING} active tenants.`,
      { hint: 'Remove a tenant or use another group; upgrading the plan does not change this.' },
    )
  const included = INCLUDED_TENANTS[planTier]
  if (planTier === 'free' && occupied >= included)
    throw new ManagementError(
      'tenant_quota_exceeded',
      `The template is on the free plan, whose ${included} included tenants are in use.`,
      { hint: 'Upgrade the plan of the template project, or remove a tenant.' },
    )
}
