// Maps each dialect to the errors that a fault can produce in it.
import type { Dialect } from '../operations/fault-operation.ts'
import { DATA_ERRORS } from './data.ts'
import type { ErrorSource } from './error-source.ts'
import { AUTH_ERRORS, CONTROL_ERRORS, EXCHANGE_ERRORS } from './json-errors.ts'
import { HANDSHAKE_ERRORS, JOIN_ERRORS, REALTIME_ERRORS } from './realtime.ts'
import { S3_ERRORS, STORAGE_ERRORS, TUS_ERRORS } from './storage.ts'

export const ERROR_SOURCES: Readonly<Record<Dialect, ErrorSource>> = {
  control: CONTROL_ERRORS,
  auth: AUTH_ERRORS,
  data: DATA_ERRORS,
  storage: STORAGE_ERRORS,
  tus: TUS_ERRORS,
  s3: S3_ERRORS,
  exchange: EXCHANGE_ERRORS,
  realtime: REALTIME_ERRORS,
  handshake: HANDSHAKE_ERRORS,
  join: JOIN_ERRORS,
}
