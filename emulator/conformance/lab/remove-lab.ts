// Remembers what a run with `--write` creates, and removes it: tenants are purged, groups and projects are removed.
import { isJsonObject } from '../../core/json.ts'
import type { Reply, WireRequest } from '../model/steps.ts'
import type { Wire } from '../run/wire.ts'

const TENANTS = /^\/groups\/v1\/([^/]+)\/tenants$/
const PUBLISH = /^\/(?:groups|platform)\/v1\/.*\/template\/publish$/

export interface Trail {
  /** Sends as the given wire does, and remembers what the answers say was created. */
  readonly wire: Wire
  /** Removes everything, and returns what is left: method, path and answer of each refused request. */
  remove(session: string): Promise<readonly string[]>
}

interface Created {
  readonly groups: string[]
  readonly projects: string[]
  readonly tenants: { readonly group: string; readonly slug: string }[]
}

/** @param removal sends the requests that remove */
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
    remove: (session) => removeAll(created, session, removal),
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
  session: string,
  wire: Wire,
): Promise<readonly string[]> {
  const left: string[] = []
  const call = async (method: string, path: string, bearer: string, json?: unknown) => {
    const reply = await wire.send({ plane: 'auth', method, path, bearer, json })
    // A check may have removed it before.
    const isGone = reply.status === 404 || (reply.status >= 200 && reply.status < 300)
    if (!isGone) left.push(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply
  }
  for (const group of groups) {
    const path = `/platform/v1/groups/${group}`
    const { body } = await call('POST', `${path}/keys`, session, { label: 'removal' })
    const key = isJsonObject(body) ? String(body['key']) : ''
    for (const { slug } of tenants.filter((tenant) => tenant.group === group))
      await call('DELETE', `/groups/v1/${group}/tenants/${slug}/purge`, key, { confirm_slug: slug })
    await call('DELETE', path, session)
  }
  for (const project of projects) await call('DELETE', `/platform/v1/projects/${project}`, session)
  return left
}
