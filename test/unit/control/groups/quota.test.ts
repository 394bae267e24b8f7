import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { PlanTier } from '../../../../emulator/core/plan-tiers.ts'
import * as quotas from '../../../../emulator/platform/projects/quotas.ts'
import { admitTenant } from '../../../../emulator/services/control/groups/quota.ts'

const { FREE_PLAN_STORAGE, INCLUDED_TENANTS, PLATFORM_BUCKET_LIMIT, TENANT_CEILING } = quotas

/** The documented sentences about each quota. Quotas in bytes are tested separately. */
const SAID: Readonly<
  Record<Exclude<keyof typeof quotas, `${string}_BYTES`>, readonly (readonly [string, string])[]>
> = {
  TENANT_CEILING: [
    ['wire/limits.md', `| active tenants of a group | ${TENANT_CEILING} |`],
    ['wire/platform.md', `at most ${TENANT_CEILING} active tenants on every plan`],
    ['wire/errors.md', `The group has ${TENANT_CEILING} active tenants`],
    ['guide/tests.md', `A group holds at most ${TENANT_CEILING} tenants`],
  ],
  INCLUDED_TENANTS: [
    ['wire/limits.md', `| tenants included in the free plan | ${INCLUDED_TENANTS.free} |`],
    [
      'wire/platform.md',
      `A plan includes a number of tenants: ${Object.entries(INCLUDED_TENANTS)
        .map(([plan, number]) => `${plan} ${number}`)
        .join(', ')}.`,
    ],
  ],
  FREE_PLAN_STORAGE: [
    ['wire/limits.md', `| storage of a free project | ${FREE_PLAN_STORAGE} over all buckets |`],
    ['wire/credentials.md', `a free project holds more than ${FREE_PLAN_STORAGE}`],
    ['wire/errors.md', `its files take more than ${FREE_PLAN_STORAGE}`],
  ],
  PLATFORM_BUCKET_LIMIT: [
    [
      'wire/limits.md',
      `| file in a bucket made through the platform's route | ${PLATFORM_BUCKET_LIMIT},`,
    ],
    ['wire/platform.md', `its limit is ${PLATFORM_BUCKET_LIMIT} unless`],
    ['wire/platform.md', `"file_size_limit":${quotas.PLATFORM_BUCKET_LIMIT_BYTES}`],
    ['wire/storage.md', `made through the platform's route has ${PLATFORM_BUCKET_LIMIT},`],
    ['wire/errors.md', `Buckets created in the dashboard allow ${PLATFORM_BUCKET_LIMIT}.`],
  ],
}

describe.each(Object.entries(SAID))('%s', (_quota, sentences) => {
  it.each(sentences)('is documented in docs/%s: %s', (page, sentence) => {
    const text = readFileSync(`docs/${page}`, 'utf8').replaceAll(/\s+/g, ' ')
    // Compares a boolean, because the test's title already names the missing sentence. The text of a whole page would hide it.
    expect(text.includes(sentence)).toBe(true)
  })
})

describe('admitTenant', () => {
  it.each<[PlanTier, number]>([
    ['free', 1],
    ['site', 3],
    ['pro', 10],
    ['scale', 99],
  ])('allows another tenant in a %s group with %i tenants', (plan, occupied) => {
    expect(() => admitTenant(plan, occupied)).not.toThrow()
  })

  it.each<[PlanTier, number, string]>([
    ['free', 2, 'tenant_quota_exceeded'],
    ['free', 100, 'tenant_limit_reached'],
    ['site', 100, 'tenant_limit_reached'],
    ['scale', 100, 'tenant_limit_reached'],
  ])('refuses another tenant in a %s group with %i tenants: %s', (plan, occupied, code) => {
    expect(() => admitTenant(plan, occupied)).toThrow(expect.objectContaining({ code }))
  })
})
