// Quotas of the platform's plans, the one place of their numbers (docs/wire/limits.md). The control plane and storage enforce
// them; advice and explanations quote them.
import type { PlanTier } from './project.ts'

/** Active tenants per group, whatever the plan. */
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

/** Over all buckets of a project on the free plan. */
export const FREE_PLAN_STORAGE_BYTES: number = GIGABYTE
/** Of one file, in a bucket made in the dashboard or through the platform's routes without a limit of its own. */
export const PLATFORM_BUCKET_LIMIT_BYTES: number = 50 * MEGABYTE

/** The same numbers in sentences: `1 GB`, `50 MB`. */
export const FREE_PLAN_STORAGE: string = `${FREE_PLAN_STORAGE_BYTES / GIGABYTE} GB`
export const PLATFORM_BUCKET_LIMIT: string = `${PLATFORM_BUCKET_LIMIT_BYTES / MEGABYTE} MB`
