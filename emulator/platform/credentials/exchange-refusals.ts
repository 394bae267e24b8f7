// The error codes of POST /st/v1/token and POST /rt/v1/token (docs/wire/credentials.md#storage-token).
import { internalRefusal, type RefusalTable } from '../../core/refusals.ts'
import { FREE_PLAN_STORAGE } from '../projects/quotas.ts'

const ROWS = {
  unauthorized: {
    status: 401,
    link: 'credential',
    cause: 'The credential is missing, expired or revoked, or it is an access_token.',
    remedy: 'Send a project key, or the session’s data_plane_token.',
  },
  forbidden: {
    status: 403,
    link: 'project',
    cause: 'The project is not active, or the token’s user was banned or deleted.',
    remedy: 'Use a credential of an active project and user.',
  },
  not_found: {
    status: 404,
    cause: 'This service has only the token route.',
    remedy: 'POST to /st/v1/token or /rt/v1/token.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The token route supports only POST.',
    remedy: 'Use POST to exchange the token.',
  },
} as const

export type ExchangeCode = keyof typeof ROWS | 'storage_quota_exceeded' | 'internal'

export const EXCHANGE_REFUSALS: RefusalTable<ExchangeCode> = {
  ...ROWS,
  storage_quota_exceeded: {
    status: 402,
    link: 'quota',
    cause: `The project is on the free plan, and its files take more than ${FREE_PLAN_STORAGE}.`,
    remedy: 'Delete files, or move the project to a larger plan.',
  },
  internal: internalRefusal('The emulator failed unexpectedly during the exchange.'),
}
