import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { RequestRecording } from '../../../../emulator/contract/recording.ts'
import { curlCommand, quoted } from '../../../../renderer/parts/curl-command.ts'
import { entryWith } from '../features/requests/journal-entry.ts'

function recordingWith(
  headers: Readonly<Record<string, string>>,
  body: string | null = null,
): RequestRecording {
  const empty = { state: 'empty', text: null, size_bytes: 0 } as const
  return {
    request_headers: headers,
    request_body:
      body === null ? empty : { state: 'complete', text: body, size_bytes: body.length },
    response_headers: {},
    response_body: empty,
    claims: null,
    stages: null,
  }
}

describe('curlCommand', () => {
  it('uses variables for credentials, and never the masked text', () => {
    const text = curlCommand(
      {
        entry: entryWith(),
        recording: recordingWith({
          authorization: 'Bearer eyJ…',
          apikey: 'eyJ…',
          host: 'x',
          accept: '*/*',
        }),
      },
      'http://127.0.0.1:7357',
      { token: 'tok', apikey: 'key' },
    )
    expect(text).toBe(
      [
        "TOKEN='tok'",
        "APIKEY='key'",
        "curl -i -X GET 'http://127.0.0.1:7357/appointments?select=id' \\",
        '  -H "authorization: Bearer $TOKEN" \\',
        '  -H "apikey: $APIKEY" \\',
        "  -H 'accept: */*'",
      ].join('\n'),
    )
  })

  it('needs one variable when key and token are the same', () => {
    const text = curlCommand(
      { entry: entryWith(), recording: recordingWith({ authorization: 'Bearer …', apikey: '…' }) },
      'http://h',
      { token: 'tok', apikey: 'tok' },
    )
    expect(text).toContain('-H "apikey: $TOKEN"')
    expect(text).not.toContain('APIKEY=')
  })

  it('passes a body through a shell unchanged', () => {
    const body = `{"name":"O'Hara $HOME \\"x\\""}`
    const text = curlCommand(
      { entry: entryWith({ method: 'POST' }), recording: recordingWith({}, body) },
      'http://h',
      {
        token: undefined,
        apikey: undefined,
      },
    )
    expect(text).toContain(`--data-raw ${quoted(body)}`)
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(body)}`], { encoding: 'utf8' })).toBe(body)
  })
})
