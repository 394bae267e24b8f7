// Routes of the audit under /_emulator/v1 (contract/audit.ts).
import type { Hono } from 'hono'
import {
  AUDIT_OPERATIONS,
  type Audit,
  type AuditBaseline,
  type AuditPart,
} from '../../../contract/audit.ts'
import { EXPOSURE_OPERATIONS } from '../../../contract/exposure-contract.ts'
import { SqlError } from '../../../database/engine.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { despiteChanges } from '../../api-kit/despite-changes.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import type { AuditNotes } from './audit-notes.ts'
import { type AuditDeps, type AuditTask, auditTenant } from './audit-tenant.ts'
import { findCrossings } from './crossings.ts'
import { checkExposure } from './exposure/check-exposure.ts'
import { type ExposureDeps, readExposure } from './exposure/read-exposure.ts'

export interface AuditRouteDeps {
  readonly projects: ProjectRegistry
  readonly audit: ExposureDeps
  readonly notes: AuditNotes
}

export function mountAudit(app: Hono<Bindings>, { audit, notes, projects }: AuditRouteDeps): void {
  const find = (reference: string): Project => activeProject(projects, reference)
  // An audit with a baseline also has findings that compare it with the caller's earlier audit, so it is not kept.
  const keep = (project: Project, baseline: AuditBaseline | undefined, audited: Audit): void => {
    if (baseline === undefined) notes.keep(project, audited)
  }
  mountOnProject(app, AUDIT_OPERATIONS, find, {
    'POST /projects/:ref/audit': async ({ body, env, project }) => {
      const { baseline, users } = body
      const audited = await despiteChanges(project.slug, () =>
        auditTenant(audit, { project, env, users, baseline }),
      )
      keep(project, baseline, audited)
      return audited
    },
    'POST /projects/:ref/audit/parts': ({ body, c, env, project }) => {
      const { baseline, users } = body
      const task = { project, env, users, baseline, signal: c.req.raw.signal }
      return sendParts(audit, task, (audited) => keep(project, baseline, audited))
    },
    'POST /projects/:ref/audit/crossings': ({ body, env, project }) => {
      const other = find(body.other)
      if (other.id === project.id)
        throw new InspectorError('invalid_request', `other: ${other.slug} is the same tenant.`, {
          hint: 'Name another tenant.',
        })
      return findCrossings(audit, { project, other, env, users: body.users })
    },
  })
  mountOnProject(app, EXPOSURE_OPERATIONS, find, {
    'GET /projects/:ref/audit/contract': async ({ env, project }) =>
      (await readExposure(audit, project, env)).contract,
    'POST /projects/:ref/audit/contract': ({ body, env, project }) =>
      checkExposure(audit, { project, env, contract: body }),
  })
}

// The services refuse the keys of a removed tenant, so its findings could not be proved.
function activeProject(projects: ProjectRegistry, reference: string): Project {
  const project = liveProject(projects, reference)
  if (project.state === 'active') return project
  throw new InspectorError('not_found', `The tenant ${project.slug} was removed.`, {
    hint: 'Audit an active tenant.',
  })
}

// Sends an audit in parts: a line for each table once it is counted, then the whole audit (contract/audit.ts, AuditPart).

const HEADERS = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/**
 * Starts the response once the tables are known. When the reader closes the response, the audit ends. @param complete receives
 * the whole audit
 * @throws {unknown} as `auditTenant`
 */
async function sendParts(
  deps: AuditDeps,
  { signal, ...task }: Omit<AuditTask, 'report'>,
  complete: (audit: Audit) => void,
): Promise<Response> {
  const leaving = new AbortController()
  const ending = AbortSignal.any([leaving.signal, ...(signal === undefined ? [] : [signal])])
  const parts = streamOf(() => leaving.abort())
  // The audit does not wait until the reader has received a part, because the parts are few and small.
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
          // The rejection has no effect when the response has already begun.
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
