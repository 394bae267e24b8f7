// Service workers would outlive the page that registers them and control the inspector's origin. Nothing the emulator serves
// is one, so every request for such a script is refused, also where tenants choose the bytes.
import type { RenderedError } from '../core/request-env.ts'

/** The refusal of a request for a service worker's script, which browsers mark (Service Workers §6.1.1). */
export function refuseServiceWorker(headers: Headers): RenderedError | undefined {
  if (!headers.has('service-worker')) return undefined
  const code = 'service_worker_refused'
  const message =
    'The emulator serves no service workers: one would control the inspector’s pages. Serve the script from your application’s own origin.'
  return {
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code, message } }),
    code,
    message,
  }
}
