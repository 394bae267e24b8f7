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
  const parts = streamOf(() => leaving.abort())
  // The audit does not wait for its reader: its parts are few and small.
  const send = (part: AuditPart): void => {
    if (!ending.aborted)
      parts.controller?.enqueue(new TextEncoder().encode(`${JSON.stringify(part)}\n`))
  }
  return await new Promise((resolve, reject) => {
    const report = (part: AuditPart): void => {
      send(part)
      if (part.kind === 'begun') resolve(new Response(parts.stream, { headers: HEADERS }))
    }
    auditTenant(deps, { ...task, report, signal: ending })
      .then(
        (audit) => {
          complete(audit)
          send({ kind: 'audit', audit })
        },
        (error: unknown) => {
          // Has no effect once the answer has begun.
          reject(error)
          send({ kind: 'failed', message: messageOf(error) })
        },
      )
      .finally(() => {
        if (!ending.aborted) parts.controller?.close()
      })
  })
}

interface Parts {
  readonly stream: ReadableStream<Uint8Array>
  readonly controller: ReadableStreamDefaultController<Uint8Array> | undefined
}

function streamOf(onLeave: () => void): Parts {
  let controller: Parts['controller']
  const stream = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own
    },
    cancel: onLeave,
  })
  return { stream, controller }
}

function messageOf(error: unknown): string {
  return error instanceof SqlError ? error.message : 'The audit ended with an internal error.'
}
