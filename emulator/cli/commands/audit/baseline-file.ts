// The file of `tenantry audit --baseline`: for each tenant, table and identity, what the identity sees.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Audit, AuditBaseline } from '../../../contract/audit.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { isJsonObject, parseJson } from '../../../core/json.ts'
import { writingTo } from '../../../core/named-files.ts'

export type BaselineFile = Readonly<Record<string, AuditBaseline>>

class BaselineError extends EmulatorError {
  override readonly code = 'no_baseline'
}

/** @throws {EmulatorError} when the file cannot be read or is no baseline */
export function readBaseline(path: string): BaselineFile {
  const content = parseJson(textOf(path))
  if (!isJsonObject(content)) throw notBaseline(path, 'it is no JSON object')
  return Object.fromEntries(
    Object.entries(content).map(([tenant, tables]) => {
      const parsed = AuditBaseline.safeParse(tables)
      if (!parsed.success) throw notBaseline(path, `${tenant}: ${parsed.error.issues[0]?.message}`)
      return [tenant, parsed.data]
    }),
  )
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw notBaseline(path, 'it cannot be read', cause)
  }
}

function notBaseline(path: string, why: string, cause?: unknown): BaselineError {
  return new BaselineError(`The baseline ${path} is not usable: ${why}.`, {
    hint: 'Write it with "tenantry audit --write-baseline <file>".',
    cause,
  })
}

export function writeBaseline(path: string, audits: readonly Audit[]): void {
  const tenants = Object.fromEntries(audits.map((audit) => [audit.tenant, picture(audit)]))
  writingTo(path, () => writeFileSync(path, `${JSON.stringify(tenants, null, 2)}\n`))
}

function picture({ identities, tables }: Audit): AuditBaseline {
  return Object.fromEntries(
    tables.map(({ cells, name }) => [
      name,
      Object.fromEntries(
        identities.map(({ label }, index) => [label, cells[index]?.baseline ?? 'refused']),
      ),
    ]),
  )
}
