// The route of a request: its method and path, without what differs between requests of one kind. The journal measures requests by
// route, and the inspector filters by it. Pure.
import type { JournalEntry } from './journal.ts'

/** Paths of objects: everything after the bucket is the object's key. */
const OBJECTS =
  /^((?:\/storage\/v1)?\/(?:object\/(?:(?:public|authenticated|sign|info|upload\/sign|list|list-v2)\/)?|render\/image\/(?:(?:public|authenticated|sign)\/)?|cdn\/|s3\/)(?!(?:public|authenticated|sign|info|upload|list|list-v2)\/)[^/]+)\/.+$/
const UPLOADS = /^((?:\/storage\/v1)?\/upload\/resumable(?:\/sign)?)\/.+$/
/** Names in the paths of the management API. Each name follows a word such as `groups` or `projects`. */
const NAMES = /(\/(group|project|tenant|key)s(?:\/v1)?\/)[^/]+/g
const ID = /^(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{20,}|[^/]*(?:@|%40)[^/]*)$/i

/** Returns e.g. `GET /patients`, `DELETE /auth/v1/mfa/:id` or `GET /object/scans/*`. */
export function requestRoute({
  method,
  service,
  target,
}: Pick<JournalEntry, 'method' | 'service' | 'target'>): string {
  const path = target.split(/[?#]/, 1)[0] ?? target
  return `${method} ${plainPath(path, service)}`
}

function plainPath(path: string, service: string): string {
  if (service === 'storage') {
    const whole = OBJECTS.exec(path) ?? UPLOADS.exec(path)
    if (whole !== null) return `${whole[1]}/*`
  }
  return namelessPath(path, service)
    .split('/')
    .map((segment) => (ID.test(segment) ? ':id' : segment))
    .join('/')
}

function namelessPath(path: string, service: string): string {
  if (service === 'control') return path.replaceAll(NAMES, '$1:$2')
  // The data host serves each path with and without this prefix.
  return service === 'data' ? path.replace(/^\/rest\/v1(?=\/)/, '') : path
}
