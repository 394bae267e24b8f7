// Bundles: one file with the platform's state and its last requests, for another person's emulator.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'

/** Media type of a bundle, a gzipped tar. */
export const BUNDLE_TYPE = 'application/vnd.tenantry.bundle+gzip'
export const BUNDLE_FILE_ENDING = '.tenantry'

export const BundleOrder = z.strictObject({
  note: z.exactOptional(z.string().max(1_000)),
  request_id: z
    .exactOptional(z.string().max(100))
    .describe(
      'The request at which the bundle opens. Default: the newest refused one, or else the newest',
    ),
  with_state: z
    .exactOptional(z.boolean())
    .describe(
      'Whether the bundle contains the platform’s state, which includes keys. Default: true',
    ),
})
export type BundleOrder = Shape<typeof BundleOrder>

export const OpenedBundle = z.object({
  file: z.string().describe('Name of the file, without its folder'),
  note: z.string().nullable(),
  made_at: z.string().describe('ISO 8601, wall time'),
  made_by: z.string().describe('Release of Tenantry that made the bundle'),
  has_state: z.boolean(),
  requests: z.number(),
  request_id: z.string().nullable().describe('The request at which the bundle opens'),
  objects_left_out: z
    .number()
    .describe('Files of buckets that were too large. Their downloads fail'),
  row_changes: z
    .number()
    .nullable()
    .describe(
      'Recorded entries of row changes of the last 15 minutes; `null` when none were recorded',
    ),
})
/** Facts of the bundle that an emulator was opened from. */
export type OpenedBundle = Shape<typeof OpenedBundle>

export const BundleState = z.object({
  opened: OpenedBundle.nullable().describe(
    '`null` for an emulator that was not opened from a bundle',
  ),
})
export type BundleState = Shape<typeof BundleState>

export const BUNDLE_OPERATIONS = {
  'POST /bundles': {
    summary: 'Packs state, clock, faults and the last requests into one file for another person.',
    body: BundleOrder,
    isBodyOptional: true,
    answer: [BUNDLE_TYPE],
  },
  'GET /bundles/opened': {
    summary: 'Shows the bundle from which this emulator was opened.',
    answer: BundleState,
  },
} as const satisfies OperationTable
