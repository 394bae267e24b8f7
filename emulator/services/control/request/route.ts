// Helpers that the control plane's routes share: error codes, the caller, the group or project in the path, and responses.

import { defined } from '../../../core/defined.ts'
import { type HttpContext, type HttpHandler, pathParam } from '../../../core/mount-routes.ts'
import type { RouteTable } from '../../../core/routes.ts'
import type { VerifiedManagementKey } from '../../../platform/credentials/verify.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { Owner } from '../accounts/owners.ts'
import type { ControlDeps, RequestOrigin } from '../deps.ts'
import { notFound } from '../errors.ts'
import type { Group } from '../groups/groups.ts'
import { requireOwnGroup } from '../groups/manage-groups.ts'
import { requireReachableProject } from '../projects/project-access.ts'
import type { ManagementErrorCode } from '../refusals.ts'
import {
  authenticateGroup,
  authenticateOwner,
  foreignGroup,
  type Presented,
} from './authenticate.ts'

/** `pendente` is the code of the 202 response while an erasure continues. */
export type ControlCode = ManagementErrorCode | 'pendente'
export type ControlRoutes = RouteTable<ControlDeps, HttpHandler, ControlCode>

/** Codes of routes that read a body. */
export const BODY_CODES: readonly ControlCode[] = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
]
/** Codes for callers that do not own the resource, or present a key of another group. */
export const OWNED_CODES: readonly ControlCode[] = ['not_found', 'forbidden']

/** Returns the credential of the request, and the facts that record the caller for the journal. */
export function presented(context: HttpContext): Presented {
  return { authorization: context.req.header('authorization'), facts: context.env.facts }
}

export function ownerOf(deps: ControlDeps, context: HttpContext): Promise<Owner> {
  return authenticateOwner(deps, presented(context))
}

/** Returns the group in the path. The caller needs one of the group's keys. */
export function groupOf(deps: ControlDeps, context: HttpContext): Promise<Group> {
  return authenticateGroup(deps, presented(context), pathParam(context, 'group'))
}

/** Returns the group in the path, which the account must own, and records the group for the journal. */
export async function ownGroupOf(
  deps: ControlDeps,
  context: HttpContext,
): Promise<{ readonly owner: Owner; readonly group: Group }> {
  const owner = await ownerOf(deps, context)
  const group = requireOwnGroup(deps.stores, owner, pathParam(context, 'group'))
  context.env.facts.groupId = group.id
  return { owner, group }
}

/**
 * Returns the group of the account as it is now. A group that was found before the body arrived can have another template by
 * now, or be deleted. @throws {ManagementError} `not_found`
 */
export function presentGroup({ stores }: ControlDeps, { id }: Group): Group {
  const group = stores.groups.findGroup(id)
  if (group === undefined) throw notFound('This group')
  return group
}

/** Returns the group of the key as it is now, as `presentGroup` does. @throws {ManagementError} `forbidden` */
export function presentGroupOfKey({ stores }: ControlDeps, { id }: Group): Group {
  const group = stores.groups.findGroup(id)
  if (group === undefined) throw foreignGroup()
  return group
}

/** Returns the project in the path if the caller may reach it, and records the project for the journal. */
export function reachableProjectOf(
  { stores }: ControlDeps,
  context: HttpContext,
  caller: Owner | VerifiedManagementKey,
): Project {
  const project = requireReachableProject(stores, caller, pathParam(context, 'id'))
  context.env.facts.schemaName = project.schemaName
  return project
}

export function originOf({ env }: HttpContext): RequestOrigin {
  return {
    requestId: env.requestId,
    addresses: env.addresses,
    ...defined({ stopwatch: env.stopwatch }),
  }
}

/** Returns a response 204 without a body. */
export function noContent(): Response {
  return new Response(null, { status: 204 })
}
