// How many rows of each table an identity can read.
import { z } from 'zod'
import { Identity, IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'

export const ReadableTablesRequest = z.strictObject({ identity: IdentityReference })
export type ReadableTablesRequest = Shape<typeof ReadableTablesRequest>

export const ReadableTable = z.object({
  name: z.string(),
  reads: z
    .enum(['all', 'some', 'none', 'empty', 'refused', 'unknown'])
    .describe(
      'Which rows SELECT returns. `empty`: the table has no rows; `unknown`: counting raised an error or took too long',
    ),
  visible: z.number().nullable().describe('Number of rows that the identity can read'),
  total: z.number().nullable().describe('Number of rows regardless of policies'),
  sentence: z.string().describe('Why, in one sentence'),
})
export type ReadableTable = Shape<typeof ReadableTable>

export const ReadableTables = z.object({
  identity: Identity,
  tables: z.array(ReadableTable),
  duration_ms: z.number().describe('Wall-clock milliseconds'),
})
export type ReadableTables = Shape<typeof ReadableTables>

export const READABLE_OPERATIONS = {
  'POST /projects/:ref/explain/tables': {
    summary: 'Counts the rows of every table that an identity can read.',
    body: ReadableTablesRequest,
    answer: ReadableTables,
  },
} as const satisfies OperationTable
