// Routes of the audit under /_emulator/v1 (contract/audit.ts).
import type { Hono } from 'hono'
import { AUDIT_OPERATIONS, type Audit, type AuditBaseline } from '../../../contract/audit.ts'
import { EXPOSURE_OPERATIONS } from '../../../contract/exposure-contract.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import type { AuditNotes } from './audit-notes.ts'
import { sendParts } from './audit-parts.ts'
import { auditTenant } from './audit-tenant.ts'
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
  // Findings beside a baseline are about an earlier audit of the caller.
  const keep = (project: Project, baseline: AuditBaseline | undefined, audited: Audit): void => {
    if (baseline === undefined) notes.keep(project, audited)
  }
  mountOnProject(app, AUDIT_OPERATIONS, find, {
    'POST /projects/:ref/audit': async ({ body, env, project }) => {
      const { baseline, users } = body
      const audited = await auditTenant(audit, { project, env, users, baseline })
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

// The keys of a removed tenant are refused, so nothing about it could be proved.
function activeProject(projects: ProjectRegistry, reference: string): Project {
  const project = liveProject(projects, reference)
  if (project.state === 'active') return project
  throw new InspectorError('not_found', `The tenant ${project.slug} was removed.`, {
    hint: 'Audit an active tenant.',
  })
}
