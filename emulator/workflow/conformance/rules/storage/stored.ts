// Files and buckets that checks of storage create for themselves.
import type { LabTenant } from '../../model/check.ts'
import { TEXT } from '../../model/patterns.ts'
import { type Part, type Step, send, textAt, type WireRequest } from '../../model/steps.ts'
import { manage, storageError, store } from '../requests.ts'

/** Stores a text with the storage token of the service role key. */
export function upload(
  { serviceStorage }: Pick<LabTenant, 'serviceStorage'>,
  path: string,
  body = 'hello',
  headers: Readonly<Record<string, string>> = {},
): WireRequest {
  return store('POST', `/object/${path}`, serviceStorage, {
    body,
    headers: { 'content-type': 'text/plain', ...headers },
  })
}

/** Creates a bucket for one check, and returns its full name. */
export function* freshBucket(
  { schemaName, serviceStorage }: LabTenant,
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): Part<string> {
  const bucket = `${schemaName}_${name}`
  yield send(
    store('POST', '/bucket', serviceStorage, { json: { name: bucket, ...options } }),
    200,
    {
      name: bucket,
    },
  )
  return bucket
}

/** A request that storage refuses with HTTP status 400 and this status in the body. */
export function refusedAs(
  request: WireRequest,
  status: string,
  more: Parameters<typeof storageError>[1] = {},
): Step {
  return send(request, 400, storageError(status, more))
}

/** Exchanges an anon key for a storage token. */
export function* anonToken(anonKey: string): Part<string> {
  return textAt(yield send(manage('POST', '/st/v1/token', anonKey), 200, { token: TEXT }), 'token')
}
