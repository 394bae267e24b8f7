// A server that answers every request like a hostile or broken program.
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

const BOMB = gzipSync(Buffer.alloc(80 << 20, ' '))
const PIECE = Buffer.alloc(1 << 20, ' ')

function endless(response: ServerResponse): void {
  const write = (): void => {
    if (response.writable) response.write(PIECE, () => setImmediate(write))
  }
  write()
}

const JSON_HEAD = { 'content-type': 'application/json' }

const ANSWERS = {
  'no first byte': () => {},
  'a trickle': (_, response) => {
    response.writeHead(200, JSON_HEAD)
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  'an endless body': (_, response) => endless(response.writeHead(200, JSON_HEAD)),
  'a gzip bomb': (_, response) => {
    response.writeHead(200, { ...JSON_HEAD, 'content-encoding': 'gzip' }).end(BOMB)
  },
  'a depth bomb': (_, response) => response.writeHead(200, JSON_HEAD).end('['.repeat(200_000)),
  'ten million elements': (_, response) =>
    response.writeHead(200, JSON_HEAD).end(`[${'0,'.repeat(10_000_000)}0]`),
} satisfies Readonly<Record<string, RequestListener>>

export type HostileAnswer = keyof typeof ANSWERS

/** Serves on a free port until it is disposed. */
export async function startHostileServer(answer: HostileAnswer) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    ANSWERS[answer](request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** Number of requests that arrived. */
    requests: () => requests,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
