// Serves /.well-known/jwks.json: the public key that verifies project keys (RFC 7517; docs/wire/credentials.md#project-keys).
import { Answer } from '../core/plain-http.ts'
import type { RenderedError, ServiceApp } from '../core/request-env.ts'
import type { SigningKeys } from '../platform/credentials/signing-keys.ts'

export function createWellKnownApp(signingKeys: SigningKeys): ServiceApp {
  return {
    answer: ({ method, path }) => {
      if (path !== '/.well-known/jwks.json')
        return refuse(404, 'not_found', `There is nothing at ${path}.`)
      if (method !== 'GET' && method !== 'HEAD')
        return refuse(405, 'method_not_allowed', 'Use GET.', { allow: 'GET, HEAD' })
      return json(200, JSON.stringify(signingKeys.jwks()), {
        'cache-control': 'public, max-age=300',
      })
    },
    renderError: () => undefined,
    renderUnavailable: ({ message }) => ({
      status: 503,
      headers: { 'content-type': 'application/json' },
      body: body('unavailable', message),
      code: 'unavailable',
      message,
    }),
    renderInternal: (trace): RenderedError => ({
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: body('internal', `Something went wrong inside the emulator; trace ${trace}.`),
      code: 'internal',
      message: 'internal',
    }),
  }
}

function refuse(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return json(status, body(code, message), headers)
}

function json(status: number, text: string, headers: Readonly<Record<string, string>>): Answer {
  return new Answer(status, { 'content-type': 'application/json', ...headers }, text)
}

function body(code: string, message: string): string {
  return JSON.stringify({ error: { code, message } })
}
