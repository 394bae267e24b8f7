// Parses and checks the policy of a presigned form: its expiry, and its conditions on fields and file (Amazon S3 API, "POST
// policy"). The signature of the policy is checked in post-form.ts.
import { isJsonObject, type JsonValue, parseJson } from '../../../../core/json.ts'
import { type EpochMillis, parseHttpDate } from '../../../../core/time.ts'
import { S3Error } from '../s3-error.ts'

export interface PostPolicy {
  readonly expiresAt: EpochMillis
  readonly conditions: readonly PostCondition[]
}

export type PostCondition =
  /** `field` is in lower case. */
  | { readonly kind: 'eq' | 'starts-with'; readonly field: string; readonly value: string }
  | ({ readonly kind: 'content-length-range' } & LengthRange)

/** Minimum and maximum size of the file in bytes, both included. */
export interface LengthRange {
  readonly least: number
  readonly most: number
}

/** Fields for which a policy needs no conditions: the policy itself, its signature and the file. */
const UNNAMED: ReadonlySet<string> = new Set(['policy', 'x-amz-signature', 'file'])
const IGNORED_PREFIX = 'x-ignore-'

/** @param encoded base64 of the JSON policy, exactly as in the form @throws {S3Error} `InvalidPolicyDocument` */
export function parsePolicy(encoded: string): PostPolicy {
  const document = parseJson(Buffer.from(encoded, 'base64').toString())
  if (!isJsonObject(document)) throw invalid('it is not a JSON object in base64')
  const { expiration, conditions } = document
  const expiresAt = typeof expiration === 'string' ? parseHttpDate(expiration) : undefined
  if (expiresAt === undefined) throw invalid('expiration is not an ISO 8601 date')
  if (!Array.isArray(conditions)) throw invalid('conditions is not an array')
  return { expiresAt, conditions: conditions.flatMap(parseCondition) }
}

/**
 * Throws when the policy does not allow the form.
 * @param fields values by lower-case name, plus `bucket` from the URL
 * @throws {S3Error} `AccessDenied`
 */
export function requireAllowed(
  { expiresAt, conditions }: PostPolicy,
  fields: ReadonlyMap<string, string>,
  now: EpochMillis,
): void {
  if (now > expiresAt) throw denied('Policy expired.')
  const named = new Set<string>()
  for (const condition of conditions) {
    if (condition.kind === 'content-length-range') continue
    const { kind, field, value } = condition
    named.add(field)
    const sent = fields.get(field) ?? ''
    if (kind === 'eq' ? sent !== value : !sent.startsWith(value))
      throw denied(`Policy Condition failed: ["${kind}", "$${field}", "${value}"]`)
  }
  const extra = [...fields.keys()].filter(
    (name) => !named.has(name) && !UNNAMED.has(name) && !name.startsWith(IGNORED_PREFIX),
  )
  // The policy need not name the bucket, because the URL names the bucket.
  const surplus = extra.filter((name) => name !== 'bucket')
  if (surplus.length > 0) throw denied(`Extra input fields: ${surplus.join(', ')}`)
}

/** Returns the intersection of all size ranges in the policy. */
export function lengthRangeOf({ conditions }: PostPolicy): LengthRange {
  const ranges = conditions.filter((condition) => condition.kind === 'content-length-range')
  return {
    least: Math.max(0, ...ranges.map(({ least }) => least)),
    most: Math.min(Number.POSITIVE_INFINITY, ...ranges.map(({ most }) => most)),
  }
}

function parseCondition(condition: JsonValue): readonly PostCondition[] {
  if (isJsonObject(condition))
    return Object.entries(condition).map(([field, value]) => ({
      kind: 'eq',
      field: field.toLowerCase(),
      value: requireText(value),
    }))
  if (!Array.isArray(condition)) throw invalid('a condition is neither an object nor an array')
  const [name, first, second] = condition
  const kind = typeof name === 'string' ? name.toLowerCase() : name
  if (kind === 'eq' || kind === 'starts-with')
    return [{ kind, field: requireField(first), value: requireText(second) }]
  if (kind === 'content-length-range')
    return [{ kind, least: requireCount(first), most: requireCount(second) }]
  throw invalid(`there is no condition ${JSON.stringify(name)}`)
}

function requireField(name: JsonValue | undefined): string {
  if (typeof name === 'string' && name.startsWith('$')) return name.slice(1).toLowerCase()
  throw invalid(`a condition names ${JSON.stringify(name)}, which is not a $field`)
}

function requireText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  throw invalid(`a condition has the value ${JSON.stringify(value)}, which is not text`)
}

function requireCount(value: JsonValue | undefined): number {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count
  throw invalid(`content-length-range has ${JSON.stringify(value)}, which is not a number of bytes`)
}

function invalid(reason: string): S3Error {
  return new S3Error('InvalidPolicyDocument', `The policy of the form cannot be used: ${reason}.`)
}

function denied(reason: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${reason}`)
}
