// Reads an audit that arrives in parts (contract/audit.ts, AuditPart), so that the screen shows each table as soon as it is
// counted. Pure, except for the stream.
import type { Audit, AuditPart } from '../../emulator/contract/audit.ts'
import { ApiError } from './client.ts'

/** An audit, as far as it has arrived. */
export interface PartialAudit
  extends Pick<Audit, 'tenant' | 'identities' | 'tables' | 'buckets' | 'findings'> {
  /** Names of tables that are not counted yet, in the order of the list. */
  readonly waiting: readonly string[]
  /** The complete audit; `undefined` while it runs. */
  readonly whole: Audit | undefined
}

/** Returns the audit with one more part. @throws {ApiError} when the audit failed */
export function withPart(before: PartialAudit | undefined, part: AuditPart): PartialAudit {
  switch (part.kind) {
    case 'begun': {
      const { kind: _, tables, ...begun } = part
      return { ...begun, tables: [], findings: [], waiting: tables, whole: undefined }
    }
    case 'table': {
      if (before === undefined) throw incomplete('The audit sent a table before its beginning.')
      const { table } = part
      const tables = [...before.tables, table].toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const waiting = before.waiting.filter((name) => name !== table.name)
      return { ...before, tables, waiting }
    }
    case 'audit':
      return { ...part.audit, waiting: [], whole: part.audit }
    case 'failed':
      throw incomplete(part.message)
  }
}

/** Calls `receive` for each part. @returns the complete audit @throws {ApiError} when the answer ends early */
export async function readParts(
  response: Response,
  receive: (audit: PartialAudit) => void,
): Promise<PartialAudit> {
  let audit: PartialAudit | undefined
  let rest = ''
  const chunks = response.body?.pipeThrough(new TextDecoderStream()) ?? []
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) audit = withPart(audit, JSON.parse(line) as AuditPart)
    if (audit !== undefined && lines.length > 0) receive(audit)
  }
  if (audit?.whole === undefined) throw incomplete('The emulator ended the audit early.')
  return audit
}

function incomplete(message: string): ApiError {
  return new ApiError(500, 'audit_incomplete', message)
}
