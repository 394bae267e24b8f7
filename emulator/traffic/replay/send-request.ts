// Sends one request of the replay and reads its answer as the recording has it.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ComparedAnswer } from '../compare/compare-answers.ts'
import type { HarField } from '../har/har.ts'
import { BodyCopy } from '../record/body-copy.ts'
import type { ReplayedRequest } from './translate-request.ts'

/** Wall-clock milliseconds without any byte after which the request counts as unanswered. */
const SILENCE_MILLIS = 60_000
const AS_IT_IS = { text: (text: string) => text, bytes: (bytes: Buffer) => bytes }

/** Never rejects: an answer with the status 0 means that none arrived. @param maxBodyBytes as the recording keeps */
export function sendRequest(
  base: string,
  { body, headers, method, path }: ReplayedRequest,
  maxBodyBytes: number,
): Promise<ComparedAnswer> {
  const url = new URL(base)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const length = body === undefined ? [] : ['content-length', String(body.length)]
  return new Promise((resolve) => {
    const copy = new BodyCopy(maxBodyBytes)
    const request = send({
      protocol: url.protocol,
      hostname: url.hostname,
      port: url.port,
      method,
      path: url.pathname.replace(/\/$/, '') + path,
      headers: ['host', url.host, ...headers.flat(), ...length],
      timeout: SILENCE_MILLIS,
    })
    const fail = (error: Error): void => resolve(noAnswer(error))
    request.on('timeout', () => request.destroy(new Error('no answer in 60 s')))
    request.on('error', fail)
    request.on('response', (answer) => {
      copy.listenTo(answer)
      answer.on('error', fail)
      answer.on('end', () => {
        const { 'content-encoding': coding, 'content-type': type = '' } = answer.headers
        resolve({
          status: answer.statusCode ?? 0,
          headers: fieldsOf(answer.rawHeaders),
          content: copy.toHar(type, coding, AS_IT_IS),
        })
      })
    })
    request.end(body)
  })
}

function noAnswer({ message }: Error): ComparedAnswer {
  return { status: 0, headers: [], content: { mimeType: 'text/plain', text: message, size: 0 } }
}

export function fieldsOf(raw: readonly string[]): readonly HarField[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, value: raw[index + 1] ?? '' }] : [],
  )
}
