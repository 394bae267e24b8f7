// Storage that the projects use, by bucket.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'

export const BucketUsage = z.object({
  bucket: z.string().describe('Full name, e.g. `proj_aurora_documents`'),
  bytes: z.number(),
  objects: z.number(),
})
export type BucketUsage = Shape<typeof BucketUsage>

export const ProjectUsage = z.object({
  slug: z.string(),
  kind: z.enum(['project', 'template', 'tenant']),
  bytes: z.number(),
  limit_bytes: z.number().nullable().describe('Quota of the plan; `null` without a quota'),
  buckets: z.array(BucketUsage).describe('The largest first'),
})
export type ProjectUsage = Shape<typeof ProjectUsage>

export const StorageUsage = z.object({
  projects: z.array(ProjectUsage).describe('All active projects, the largest first'),
})
export type StorageUsage = Shape<typeof StorageUsage>

export const STORAGE_OPERATIONS = {
  'GET /storage': {
    summary: 'Shows the bytes that each project and bucket stores, with the quota.',
    answer: StorageUsage,
  },
} as const satisfies OperationTable
