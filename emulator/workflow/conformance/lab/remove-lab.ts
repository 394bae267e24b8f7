// Remembers what a run with `--write` creates, and removes it afterwards: purges tenants, and removes groups and projects.
import { isJsonObject } from '../../../core/json.ts'
import type { GroupAccess } from '../model/check.ts'
import type { Reply, WireRequest } from '../model/steps.ts'
import type { Wire } from '../run/wire.ts'

const TENANTS = /^\/groups\/v1\/([^/]+)\/tenants$/
const PUBLISH = /^\/(?:groups|platform)\/v1\/.*\/template\/publish$/

export interface Trail {
  /** Sends requests through the given wire. Records the objects that were created according to the answers. */
  readonly wire: Wire
  /** Removes all recorded objects. Returns the method, path and answer of each request that the target refused. */
  remove(access: RemovalAccess): Promise<readonly string[]>
}

/** Credentials for the removal: the session of the account, and the key of a group that existed before the run. */
export interface RemovalAccess {
  readonly session: string | undefined
  readonly group: GroupAccess | undefined
}

interface Created {
  readonly groups: string[]
  readonly projects: string[]
  readonly tenants: { readonly group: string; readonly slug: string }[]
}

/** @param removal the wire for the requests that remove objects */
export function createTrail(wire: Wire, removal: Wire): Trail {
  const created: Created = { groups: [], projects: [], tenants: [] }
  return {
    wire: {
      ...wire,
      send: async (request) => {
        const reply = await wire.send(request)
        note(created, request, reply)
        return reply
      },
    },
    remove: (access) => removeAll(created, access, removal),
  }
}

function note(created: Created, { method, path }: WireRequest, { body, status }: Reply): void {
  if (method !== 'POST' || status < 200 || status > 299 || !isJsonObject(body)) return
  const { id, template, tenant } = body
  if (path === '/platform/v1/projects') created.projects.push(String(id))
  if (path === '/platform/v1/groups') created.groups.push(String(id))
  if (PUBLISH.test(path) && isJsonObject(template)) created.projects.push(String(template['id']))
  const [, group] = TENANTS.exec(path) ?? []
  if (group !== undefined && isJsonObject(tenant))
    created.tenants.push({ group, slug: String(tenant['slug']) })
}

async function removeAll(
  { groups, projects, tenants }: Created,
  { group: given, session = '' }: RemovalAccess,
  wire: Wire,
): Promise<readonly string[]> {
  const left: string[] = []
  const call = async (method: string, path: string, bearer: string, json?: unknown) => {
    const reply = await wire.send({ plane: 'auth', method, path, bearer, json })
    // A check may have removed the object before, so status 404 does not count as a failure.
    const isGone = reply.status === 404 || (reply.status >= 200 && reply.status < 300)
    if (!isGone) left.push(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply
  }
  const purge = async ({ id, key }: GroupAccess): Promise<void> => {
    for (const { slug } of tenants.filter((tenant) => tenant.group === id))
      await call('DELETE', `/groups/v1/${id}/tenants/${slug}/purge`, key, { confirm_slug: slug })
  }
  if (given !== undefined) await purge(given)
  for (const id of groups) {
    const path = `/platform/v1/groups/${id}`
    const { body } = await call('POST', `${path}/keys`, session, { label: 'removal' })
    await purge({ id, key: isJsonObject(body) ? String(body['key']) : '' })
    await call('DELETE', path, session)
  }
  for (const project of projects) await call('DELETE', `/platform/v1/projects/${project}`, session)
  return left
}
