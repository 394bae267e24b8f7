// The application's own web server. Serves the static files of test/browser/page and a new build of the client library on a
// separate port. Every request of the page to the emulator is therefore cross-origin.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient } from '../../scripts/build-client.ts'

export interface PageServer extends AsyncDisposable {
  /** Address of the server, with a slash at the end. */
  readonly url: string
}

const FILES: Readonly<Record<string, { readonly file: string; readonly contentType: string }>> = {
  '/': { file: 'test/browser/page/index.html', contentType: 'text/html; charset=utf-8' },
  '/app.mjs': { file: 'test/browser/page/app.mjs', contentType: 'text/javascript' },
}

/** Starts the server. `settings` is the content of `settings.json`, which the page reads. */
export async function startPageServer(settings: object): Promise<PageServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-client-'))
  await buildClient(folder)
  const built = { file: join(folder, 'index.mjs'), contentType: 'text/javascript' }
  const files = { ...FILES, '/client.mjs': built }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const found = Object.entries(files).find(([path]) => path === pathname)?.[1]
    if (pathname === '/settings.json') response.end(JSON.stringify(settings))
    else if (found === undefined) response.writeHead(404).end()
    else
      void readFile(found.file).then((bytes) => {
        response.writeHead(200, { 'content-type': found.contentType }).end(bytes)
      })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the page has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await rm(folder, { recursive: true })
    },
  }
}
