// Implements `client.storage` with storage-js. Each request uses the address and token that the token exchange returned.
import { StorageClient } from '@supabase/storage-js'
import { toAuthError } from './auth/errors.ts'
import { isRepeatable, refusesExpired } from './server-time.ts'
import type { StorageToken, StorageTokens } from './storage-token.ts'

export interface StorageDeps {
  readonly tokens: StorageTokens
  readonly fetch: typeof fetch
  /**
   * Address of the storage service until a token exchange returns another one. The client builds URLs of public objects with
   * this address, without a request.
   */
  readonly expectedUrl: string
}

export function createStorage(deps: StorageDeps): StorageClient {
  return new ProjectStorageClient(deps)
}

class ProjectStorageClient extends StorageClient {
  readonly #deps: StorageDeps
  #url: string

  constructor(deps: StorageDeps) {
    super(deps.expectedUrl, {}, (input, init) => this.#send(this, input, init))
    this.#deps = deps
    this.#url = deps.expectedUrl
  }

  // storage-js builds signed URLs from the member `url`. The token exchange may return a different address later.
  override from(bucket: string): ReturnType<StorageClient['from']> {
    const files = super.from(bucket)
    Reflect.set(files, 'url', this.#url)
    const send: typeof fetch = (input, init) => this.#send(files, input, init)
    Reflect.set(files, 'fetch', send)
    return files
  }

  async #send(calls: object, input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const { expectedUrl, fetch, tokens } = this.#deps
    const asked = String(input instanceof Request ? input.url : input)
    const made = [this.#url, expectedUrl].find((url) => asked.startsWith(url)) ?? ''
    const sendAs = async ({ token, url }: StorageToken): Promise<Response> => {
      this.#url = url
      Reflect.set(calls, 'url', url)
      const headers = Object.fromEntries(new Headers(init.headers))
      return fetch(url + asked.slice(made.length), {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    }
    try {
      const token = await tokens.current()
      const response = await sendAs(token)
      // The platform's clock may have been moved. A signed URL contains its own token, so a new token would not help.
      if (isSigned(asked) || !isRepeatable(init) || !(await refusesExpired(response)))
        return response
      await tokens.forget(token)
      return await sendAs(await tokens.current())
    } catch (failure) {
      return refused(failure)
    }
  }
}

function isSigned(url: string): boolean {
  return new URL(url).searchParams.has('token')
}

// storage-js makes its own errors from responses. So a refused token exchange is returned as a response of the storage service.
function refused(failure: unknown): Response {
  const { status, code, message } = toAuthError(failure)
  if (status === 0) throw failure
  const body = { statusCode: String(status), error: code, code, message }
  return Response.json(body, { status })
}
