// renderer/api/comparisons.ts: when the platform returns to its state before a comparison.
import { afterEach, expect, it, vi } from 'vitest'
import { compareRecording } from '../../../../renderer/api/comparisons.ts'

// The page reads its admin token when its modules load.
vi.hoisted(() => vi.stubGlobal('sessionStorage', { getItem: () => null }))

const SAVE = 'POST /snapshots'
const COMPARE = 'POST /comparisons'
const RESTORE = 'POST /snapshots/before-comparison/restore'
const DELETE = 'DELETE /snapshots/before-comparison'

/** Answers each request with 200, except those in `statuses`. Returns the list of the requests. */
function answering(statuses: Readonly<Record<string, number>>): readonly string[] {
  const sent: string[] = []
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
    const line = `${method} ${url.replace(/^.*\/_emulator\/v1/, '')}`
    sent.push(line)
    return Promise.resolve(new Response('{}', { status: statuses[line] ?? 200 }))
  })
  return sent
}

const compared = (isRestored: boolean) => compareRecording(new Blob(['{}']), isRestored)

afterEach(() => {
  vi.unstubAllGlobals()
})

it('restores the platform after the comparison', async () => {
  const sent = answering({})
  await compared(true)
  expect(sent).toEqual([SAVE, COMPARE, RESTORE, DELETE])
})

it.each([400, 401, 413])('restores nothing when the file is refused with %i', async (status) => {
  const sent = answering({ [COMPARE]: status })
  await expect(compared(true)).rejects.toMatchObject({ status })
  expect(sent).toEqual([SAVE, COMPARE, DELETE])
})

it('reports the refused file when the saved snapshot cannot be deleted', async () => {
  answering({ [COMPARE]: 400, [DELETE]: 503 })
  await expect(compared(true)).rejects.toMatchObject({ status: 400 })
})

it('restores the platform when the replay fails', async () => {
  const sent = answering({ [COMPARE]: 500 })
  await expect(compared(true)).rejects.toMatchObject({ status: 500 })
  expect(sent).toEqual([SAVE, COMPARE, RESTORE, DELETE])
})

it('saves no snapshot when the data is not to be restored', async () => {
  const sent = answering({})
  await compared(false)
  expect(sent).toEqual([COMPARE])
})
