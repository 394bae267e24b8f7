// Quotas of the platform's plans (docs/wire/limits.md), defined only here. The control plane and storage enforce them; advice and
// explanations quote them.
import type { PlanTier } from '../../core/plan-tiers.ts'

/** Maximum number of active tenants per group, on every plan. */
export const TENANT_CEILING = 100

/** Tenants included with each plan. Only the free plan refuses more. */
export const INCLUDED_TENANTS: Readonly<Record<PlanTier, number>> = {
  free: 2,
  site: 3,
  pro: 10,
  scale: 40,
}

const MEGABYTE = 1024 ** 2
const GIGABYTE = 1024 ** 3

/** Maximum bytes in all buckets of a project on the free plan together. */
export const FREE_PLAN_STORAGE_BYTES: number = GIGABYTE
/** Maximum bytes of one file in a bucket that the dashboard or the platform's routes created without a limit. */
export const PLATFORM_BUCKET_LIMIT_BYTES: number = 50 * MEGABYTE

/** The same numbers as text for messages: `1 GB`, `50 MB`. */
export const FREE_PLAN_STORAGE: string = `${FREE_PLAN_STORAGE_BYTES / GIGABYTE} GB`
export const PLATFORM_BUCKET_LIMIT: string = `${PLATFORM_BUCKET_LIMIT_BYTES / MEGABYTE} MB`
