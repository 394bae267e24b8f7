// Sends an audit in parts: a line for each table once it is counted, then the whole audit (contract/audit.ts, AuditPart).
import type { Audit, AuditPart } from '../../../contract/audit.ts'
import { SqlError } from '../../../database/engine.ts'
import { type AuditDeps, type AuditTask, auditTenant } from './audit-tenant.ts'

const HEADERS = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/**
 * Answers once the tables are known. The reader of the answer ends the audit by leaving. @param complete receives the whole audit
 * @throws {unknown} as `auditTenant`
 */
export async function sendParts(
  deps: AuditDeps,
  { signal, ...task }: Omit<AuditTask, 'report'>,
  complete: (audit: Audit) => void,
): Promise<Response> {
  const leaving = new AbortController()
  const ending = AbortSignal.any([leaving.signal, ...(signal === undefined ? [] : [signal])])
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    {},
    // The audit does not wait for its reader: its parts are few and small.
    { highWaterMark: Number.POSITIVE_INFINITY },
  )
  const writer = writable.getWriter()
  writer.closed.catch(() => leaving.abort())
  const send = (part: AuditPart): void => {
    writer.write(new TextEncoder().encode(`${JSON.stringify(part)}\n`)).catch(() => undefined)
  }
  return await new Promise((resolve, reject) => {
    const report = (part: AuditPart): void => {
      send(part)
      if (part.kind === 'begun') resolve(new Response(readable, { headers: HEADERS }))
    }
    auditTenant(deps, { ...task, report, signal: ending })
      .then(
        (audit) => {
          complete(audit)
          send({ kind: 'audit', audit })
        },
        (error: unknown) => {
          reject(error)
          if (!ending.aborted) send({ kind: 'failed', message: messageOf(error) })
        },
      )
      .finally(() => writer.close().catch(() => undefined))
  })
}

function messageOf(error: unknown): string {
  return error instanceof SqlError ? error.message : 'The audit ended with an internal error.'
}
