// A project's access keys for S3 clients.
import { z } from 'zod'
import type { OperationTable } from './operation.ts'

export const MintedS3Key = z
  .object({
    access_key_id: z.string(),
    secret_access_key: z.string(),
    region: z
      .string()
      .describe('Region for clients that need one; the emulator accepts signatures for any region'),
    endpoint: z.string().describe('Address for path-style clients'),
    created_at: z.string().describe('ISO 8601'),
  })
  .describe('A new access key. Only this answer contains the whole secret')

export const ListedS3Key = z.object({
  access_key_id: z.string(),
  secret_access_key: z.string().describe('The first characters'),
  created_at: z.string().describe('ISO 8601'),
})

export const S3KeyList = z.object({ keys: z.array(ListedS3Key) })

export const S3KeyRevoked = z.object({ revoked: z.literal(true) })

export const S3_KEY_OPERATIONS = {
  'GET /projects/:ref/s3-keys': {
    summary: 'Lists the access keys for S3 clients.',
    answer: S3KeyList,
  },
  'POST /projects/:ref/s3-keys': {
    summary: 'Mints an access key for S3 clients.',
    answer: MintedS3Key,
    status: 201,
  },
  'DELETE /projects/:ref/s3-keys/:id': { summary: 'Revokes an access key.', answer: S3KeyRevoked },
} as const satisfies OperationTable
