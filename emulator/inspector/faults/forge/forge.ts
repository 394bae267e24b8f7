// The workshop of each dialect.
import type { Dialect } from '../operations/fault-operation.ts'
import { AUTH_FORGE } from './auth.ts'
import { CONTROL_FORGE } from './control.ts'
import { DATA_FORGE } from './data.ts'
import { EXCHANGE_FORGE } from './exchange.ts'
import type { Forge } from './forged.ts'
import { HANDSHAKE_FORGE, JOIN_FORGE, REALTIME_FORGE } from './realtime.ts'
import { S3_FORGE, STORAGE_FORGE, TUS_FORGE } from './storage.ts'

export const FORGES: Readonly<Record<Dialect, Forge>> = {
  control: CONTROL_FORGE,
  auth: AUTH_FORGE,
  data: DATA_FORGE,
  storage: STORAGE_FORGE,
  tus: TUS_FORGE,
  s3: S3_FORGE,
  exchange: EXCHANGE_FORGE,
  realtime: REALTIME_FORGE,
  handshake: HANDSHAKE_FORGE,
  join: JOIN_FORGE,
}
