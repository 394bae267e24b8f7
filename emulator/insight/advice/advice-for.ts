// Finds the advice for a refused request. The tables cover every code of every service; a new code without an entry does not
// compile.
import { storageCodesOf } from '../../services/storage/errors.ts'
import { type Advice, advice } from './advice.ts'
import { AUTH_ADVICE } from './auth.ts'
import { CONTROL_ADVICE, EXCHANGE_ADVICE } from './control.ts'
import { dataAdvice } from './data.ts'
import { REALTIME_ADVICE } from './realtime.ts'
import { S3_ADVICE, STORAGE_ADVICE } from './storage.ts'

/** A refusal as the journal recorded it. */
export interface RefusalFacts {
  readonly service: string
  readonly path: string
  readonly status: number
  readonly code: string
  readonly message: string
}

/** Returns what a refusal means, or `undefined` for an undocumented code. */
export function adviceFor(refusal: RefusalFacts): Advice | undefined {
  const { service, path, code, message } = refusal
  if (/^\/(st|rt)\/v1\/token$/.test(path)) return entry(EXCHANGE_ADVICE, code)
  switch (service) {
    case 'data':
      return dataAdvice(code, message)
    case 'auth':
      return entry(AUTH_ADVICE, code)
    case 'control':
      return code === 'foreign_origin' ? FOREIGN_PAGE : entry(CONTROL_ADVICE, code)
    case 'realtime':
      return entry(REALTIME_ADVICE, code)
    case 'storage':
      return storageAdvice(refusal)
    case 'edge':
      return code === 'endpoint_em_outro_host' ? OTHER_HOST : NO_SUCH_PATH
    default:
      return undefined
  }
}

const OTHER_HOST = advice(
  'request',
  'The route belongs to another host of the platform.',
  'Send the request to the address in the answer.',
)
const FOREIGN_PAGE = advice(
  'request',
  'A web page of another origin called the management API.',
  'Call the management API from a server, or start Tenantry with --allow-origin and the origin of the page.',
)
const NO_SUCH_PATH = advice(
  'request',
  'The path does not exist.',
  'Compare the path with the documentation.',
)

// Storage sends the same code in several situations, so path, status and message decide.
function storageAdvice({ path, status, code, message }: RefusalFacts): Advice | undefined {
  if (/^(\/storage\/v1)?\/s3(\/|$)/.test(path)) {
    const own = entry(S3_ADVICE, code)
    if (own !== undefined) return own
  }
  const candidates = storageCodesOf(code, status)
  const meant =
    candidates.length < 2
      ? candidates[0]
      : (candidates.find((one) => fits(one, message)) ?? candidates[0])
  return meant && STORAGE_ADVICE[meant]
}

const WORDS: Readonly<Record<string, RegExp>> = {
  badBearer: /JW[ST]|signature|claim|token|project|user/i,
  accessDenied: /^Access denied$/,
  roleRefused: /Invalid role/,
  rowRefused: /row-level security/,
  directKey: /credential of the platform/,
  revokedBearer: /regenerated/,
  bytesMissing: /^The resource was not found/,
  objectNotFound: /^Object not found/,
  diskFull: /disk|space/i,
}

function fits(code: string, message: string): boolean {
  return WORDS[code]?.test(message) === true
}

function entry(table: Readonly<Record<string, Advice>>, code: string): Advice | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}
