// Errors of the edge itself, in the shape of the management plane: {"error": {"code", "message"}}. Pure.
import { EDGE_REFUSALS, type EdgeCode } from '../core/edge-refusals.ts'
import type { RenderedError, RequestEnv } from '../core/request-env.ts'

/** Returns 403 for a page that may not use the management plane. */
export function foreignOrigin(origin: string): RenderedError {
  const message =
    `The management plane does not answer pages of the origin ${JSON.stringify(origin)}. ` +
    'Call it from a server, or start with "--allow-origin <origin>" to allow the page.'
  return coded('foreign_origin', message, { vary: 'Origin' })
}

/**
 * Returns 403 for the script of a service worker. A service worker would control all pages of the inspector's origin, and tenants
 * choose the bytes of most answers.
 */
export function serviceWorkerRefused(): RenderedError {
  const message =
    'The emulator serves no service workers, because a service worker could control the inspector’s pages. Serve the script from your application’s own origin.'
  return coded('service_worker_refused', message)
}

/** Returns 404 for a path that belongs to another host of the platform. */
export function elsewhere(env: RequestEnv, belongsTo: 'auth' | 'storage'): RenderedError {
  const host = belongsTo === 'auth' ? env.addresses.authUrl : env.addresses.storageUrl
  const message = `This endpoint is on another host: ${host}.`
  const code = 'endpoint_em_outro_host'
  return rendered(code, message, { error: code, message })
}

/** Returns 404 for a path that exists on no host. */
export function unknownPath(path: string, { addresses }: RequestEnv): RenderedError {
  const message = `There is nothing at ${path} on this host. Management and auth are at ${addresses.authUrl}, data at ${addresses.dataUrl}.`
  return coded('not_found', message)
}

function coded(
  code: EdgeCode,
  message: string,
  headers?: Readonly<Record<string, string>>,
): RenderedError {
  return rendered(code, message, { error: { code, message } }, headers)
}

function rendered(
  code: EdgeCode,
  message: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): RenderedError {
  return {
    status: EDGE_REFUSALS[code].status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    code,
    message,
  }
}
