// Suggests claims with which a row would pass. The claim that a policy compares gets the row's value. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { quoteLiteral } from '../../../database/sql.ts'
import type { Comparison } from './conditions.ts'
import type { World } from './what-if.ts'

export interface ClaimChange {
  readonly title: string
  /** Sets the claims for the transaction in which it runs. */
  readonly sql: string
  readonly principal: World['principal']
}

/** Returns `undefined` when the leaf reads no claim, or when the row has no value to set. */
export function claimChange(
  { principal }: World,
  { other, cell, column }: Comparison,
): ClaimChange | undefined {
  const path = claimPath(other.text)
  if (path === undefined || cell === null) return undefined
  const claims = withClaim(principal.claims, path, cell)
  const claimsText = JSON.stringify(claims)
  return {
    title: `A token whose claim ${path.join('.')} is ${cell}, as the row’s ${column.name}`,
    sql: `select set_config('request.jwt.claims', ${quoteLiteral(claimsText)}, true);`,
    principal: { ...principal, claims, claimsText },
  }
}

function claimPath(text: string): readonly string[] | undefined {
  if (/\bauth\.uid\(\)/.test(text)) return ['sub']
  if (/\bauth\.email\(\)/.test(text)) return ['email']
  if (!/\bauth\.jwt\(\)|request\.jwt\.claims/.test(text)) return undefined
  const path = [...text.matchAll(/->>?\s*'((?:[^']|'')+)'/g)].map(([, name = '']) =>
    name.replaceAll("''", "'"),
  )
  return path.length === 0 ? undefined : path
}

function withClaim(claims: JsonObject, path: readonly string[], value: string): JsonObject {
  const [name = '', ...rest] = path
  const inner = claims[name]
  const next: JsonValue =
    rest.length === 0 ? value : withClaim(isJsonObject(inner) ? inner : {}, rest, value)
  return { ...claims, [name]: next }
}
