// Sends one request and reads the answer within bounds. Keeps the spelling and order of the headers, which `fetch` would change.
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { AnswerError } from './answer-error.ts'
import { watchAnswer } from './answer-watch.ts'
import type { HttpClient } from './http-client.ts'

export interface RawRequest {
  readonly base: URL
  /** Path that is appended to the path of `base`. */
  readonly path: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
}

/**
 * Resolves when the answer is complete.
 * @param onAnswer is called with the head. It may listen to the body, and must not pause it
 * @throws {AnswerError}
 */
export function sendRaw(
  { bounds, wallClock }: Pick<HttpClient, 'bounds' | 'wallClock'>,
  { base, body, headers, method, path }: RawRequest,
  onAnswer: (answer: IncomingMessage) => void,
): Promise<IncomingMessage> {
  const send = base.protocol === 'https:' ? requestHttps : requestHttp
  const length = body === undefined ? [] : ['content-length', String(body.length)]
  const { origin } = base
  return new Promise((resolve, reject) => {
    const request = send({
      protocol: base.protocol,
      hostname: base.hostname,
      port: base.port,
      method,
      path: base.pathname.replace(/\/$/, '') + path,
      headers: ['host', base.host, ...headers.flat(), ...length],
    })
    const onFailure = (error: AnswerError): void => void request.destroy(error)
    const watch = watchAnswer({ bounds, wallClock, origin, onFailure })
    const fail = (error: Error): void => {
      watch.stop()
      reject(
        error instanceof AnswerError
          ? error
          : new AnswerError('no_connection', error.message, { cause: error }),
      )
    }
    request.on('error', fail)
    request.on('response', (answer) => {
      watch.answered('whole')
      onAnswer(answer)
      answer.on('data', (chunk: Buffer) => {
        try {
          watch.received(chunk.length)
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)))
          request.destroy()
        }
      })
      answer.on('error', fail)
      answer.on('end', () => {
        watch.stop()
        resolve(answer)
      })
    })
    request.end(body)
  })
}
