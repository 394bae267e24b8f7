// The exposure contract of an application: what anon and a new user reach in a tenant. A vendor commits the contract as a file,
// and the audit reports access that widened since then. The file names no row, tenant, time or address.
import { z } from 'zod'
import { AuditFinding } from './audit.ts'
import type { OperationTable, Shape } from './operation.ts'

export const EXPOSURE_FORMAT = 'tenantry-exposure-contract'
export const EXPOSURE_VERSION = 1

/** Kinds of access, from the narrowest to the widest. */
export const REACHES = ['refused', 'none', 'some', 'all'] as const
export const BUCKET_REACHES = ['none', 'read', 'write'] as const
export const EXPOSED_IDENTITIES = ['anon', 'new_user'] as const
export const EXPOSED_COMMANDS = ['select', 'insert', 'update', 'delete'] as const

export const Reach = z
  .enum(REACHES)
  .describe(
    '`refused`: no privilege. `none`, `some`, `all`: the rows. A table without rows counts as its policies say',
  )
export type Reach = Shape<typeof Reach>

const Names = z.array(z.string())

export const TableExposure = z.strictObject({
  select: Reach,
  insert: Reach,
  update: Reach,
  delete: Reach,
  columns: z
    .exactOptional(
      z.strictObject({
        select: z.exactOptional(Names),
        insert: z.exactOptional(Names),
        update: z.exactOptional(Names),
      }),
    )
    .describe('The columns of each command that reaches only some of the table’s columns'),
})
export type TableExposure = Shape<typeof TableExposure>

export const ExposedTable = z.strictObject({
  columns: Names.describe('All columns of the table, sorted'),
  anon: TableExposure,
  new_user: TableExposure,
})
export type ExposedTable = Shape<typeof ExposedTable>

const BucketReach = z.enum(BUCKET_REACHES)

export const ExposedBucket = z.strictObject({ anon: BucketReach, new_user: BucketReach })
export type ExposedBucket = Shape<typeof ExposedBucket>

export const ExposureContract = z.strictObject({
  format: z.literal(EXPOSURE_FORMAT),
  version: z.literal(EXPOSURE_VERSION),
  tables: z.record(z.string(), ExposedTable).describe('All tables and views by name'),
  functions: z
    .record(z.string(), z.array(z.enum(EXPOSED_IDENTITIES)))
    .describe('Who may execute each function, by name and types of its arguments'),
  buckets: z
    .record(z.string(), ExposedBucket)
    .describe('Who reads and writes the files of each bucket, by its name without the project'),
})
export type ExposureContract = Shape<typeof ExposureContract>

export const ExposureComparison = z.object({
  tenant: z.string().describe('Slug of the project'),
  present: ExposureContract.describe('What the identities reach now'),
  widened: z.array(AuditFinding).describe('What they reach beyond the contract'),
  changes: z
    .array(z.string())
    .describe('Sentences about what narrowed, was renamed or is gone, and about new objects'),
})
export type ExposureComparison = Shape<typeof ExposureComparison>

export const EXPOSURE_OPERATIONS = {
  'GET /projects/:ref/audit/contract': {
    summary: 'Returns what anon and a new user reach, as a contract for `tenantry audit`.',
    answer: ExposureContract,
  },
  'POST /projects/:ref/audit/contract': {
    summary: 'Compares what anon and a new user reach with a contract, and proves what widened.',
    body: ExposureContract,
    answer: ExposureComparison,
  },
} as const satisfies OperationTable
