// Compares the refusals of a run with the tables of docs/wire/errors.md. Pure.
import { isJsonObject } from '../../../core/json.ts'
import type { ErrorSection, Refusal } from '../model/check.ts'
import { type Pattern, TEXT } from '../model/patterns.ts'
import { hold, type Step } from '../model/steps.ts'

/** `<status> <code>` of each row, by section. */
export type ListedCodes = Readonly<Partial<Record<string, ReadonlySet<string>>>>

/** Reads the tables of errors.md. */
export function listedCodes(page: string): ListedCodes {
  const sections = page.split(/(?=<a id=")/).map((text) => {
    const anchor = /^<a id="([^"]+)"/.exec(text)?.[1] ?? ''
    const rows = [...text.matchAll(/^\| (\d{3}) \| `([^`]+)` \|/gm)]
    return [anchor, new Set(rows.map(([, status, code]) => `${status} ${code}`))] as const
  })
  return Object.fromEntries(sections)
}

const MANAGEMENT_FORM: Pattern = { error: { code: TEXT, message: TEXT } }
const FORMS: Readonly<Record<ErrorSection, Pattern>> = {
  management: MANAGEMENT_FORM,
  auth: MANAGEMENT_FORM,
  data: { code: TEXT, message: TEXT },
  storage: { statusCode: TEXT, error: TEXT, message: TEXT, code: TEXT },
  realtime: {},
}

/** Returns a step for each refusal of a section: its form, and whether its code is listed with its status. */
export function refusalSteps(
  section: ErrorSection,
  refusals: readonly Refusal[],
  codes: ListedCodes,
): readonly Step[] {
  const edge = codes['edge'] ?? new Set<string>()
  const listed = codes[section] ?? new Set<string>()
  return refusals
    .filter((refusal) => refusal.section === section)
    .flatMap(({ reply, request }) => {
      if (edge.has(`${reply.status} ${edgeCodeOf(reply.body)}`)) return []
      const code = codeOf(section, reply.body)
      const found = `${reply.status} ${code}`
      const isListed = code === undefined || listed.has(found) || isOtherSqlState(code, listed)
      return [
        hold(`body of ${request}`, reply.body, FORMS[section]),
        hold(`listed code of ${request}`, isListed ? 'listed' : `${found} is not listed`, 'listed'),
      ]
    })
}

// The codes that errors.md lists for storage and realtime are names of faults, which no answer contains.
function codeOf(section: ErrorSection, body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined
  const { code, error } = body
  const value = section === 'data' ? code : isJsonObject(error) ? error['code'] : undefined
  const hasCodes = section === 'data' || section === 'auth' || section === 'management'
  return hasCodes && typeof value === 'string' ? value : undefined
}

/** Returns the code of a refusal before a service; `undefined` for the form of another service. */
function edgeCodeOf(body: unknown): unknown {
  const error = isJsonObject(body) ? body['error'] : undefined
  return isJsonObject(error) ? error['code'] : error
}

/** Whether it is an SQLSTATE without a row, which has the status of its class. */
function isOtherSqlState(code: string, listed: ReadonlySet<string>): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && ![...listed].some((row) => row.endsWith(` ${code}`))
}
