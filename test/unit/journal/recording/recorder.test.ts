// Limits of the recorder: the number of requests, and their bytes.
import { describe, expect, it } from 'vitest'
import { toResponse } from '../../../../emulator/core/plain-http.ts'
import { createRecorder } from '../../../../emulator/insight/journal/recording/recorder.ts'

async function record(
  recorder: ReturnType<typeof createRecorder>,
  requestId: string,
  body = '',
  status = 200,
) {
  const request = new Request('http://127.0.0.1/notes', { method: 'POST', body })
  const open = recorder.begin({ requestId, request, target: '/notes', wire: undefined })
  await open.request.text()
  await toResponse(open.answered(new Response(body, { status }))).text()
}

describe('the recorder', () => {
  it('keeps the newest thousand requests', async () => {
    const recorder = createRecorder({ bodies: 'never', refusedBodies: true, isWatched: () => true })
    for (let number = 0; number < 1_005; number += 1) await record(recorder, `r${number}`)
    expect(recorder.findRecording('r4')).toBeUndefined()
    expect(recorder.findRecording('r5')).toBeDefined()
    expect(recorder.findRecording('r1004')?.requestBody).toBeUndefined()
  })

  it('keeps a refused request with its bodies longer than the newest thousand requests', async () => {
    const recorder = createRecorder({
      bodies: 'watched',
      refusedBodies: true,
      isWatched: () => false,
    })
    await record(recorder, 'refused', 'no', 403)
    for (let number = 0; number < 1_005; number += 1) await record(recorder, `r${number}`, 'yes')
    expect(recorder.findRecording('r0')).toBeUndefined()
    expect(recorder.findRecording('r1004')?.requestBody).toBeUndefined()
    const kept = recorder.findRecording('refused')
    expect([kept?.requestBody, kept?.responseBody].map((body) => String(body?.bytes()))).toEqual([
      'no',
      'no',
    ])
  })

  it('keeps at most 4 MB of refused requests', async () => {
    const recorder = createRecorder({
      bodies: 'watched',
      refusedBodies: true,
      isWatched: () => false,
    })
    const body = 'x'.repeat(64 << 10)
    for (let number = 0; number < 40; number += 1) await record(recorder, `r${number}`, body, 400)
    // Many successful requests remove the refused ones from the list of the newest requests.
    for (let number = 0; number < 1_000; number += 1) await record(recorder, `fine${number}`)
    const kept = Array.from({ length: 40 }, (_, number) => recorder.findRecording(`r${number}`))
    const newest = kept.filter((recording) => recording !== undefined)
    expect(newest.length * 2 * body.length).toBeLessThanOrEqual(4 << 20)
    expect(newest.length).toBeGreaterThan(20)
    expect(kept.at(-1)).toBeDefined()
  })

  it('keeps the newest 16 MB of requests', async () => {
    const recorder = createRecorder({
      bodies: 'always',
      refusedBodies: true,
      isWatched: () => false,
    })
    const body = 'x'.repeat(64 << 10)
    for (let number = 0; number < 200; number += 1) await record(recorder, `r${number}`, body)
    const kept = Array.from({ length: 200 }, (_, number) => recorder.findRecording(`r${number}`))
    const newest = kept.filter((recording) => recording !== undefined)
    const bytes = newest.length * 2 * body.length
    expect(bytes).toBeLessThanOrEqual(16 << 20)
    expect(bytes).toBeGreaterThan(12 << 20)
    expect(kept.at(-1)?.responseBody?.isComplete).toBe(true)
  })
})
