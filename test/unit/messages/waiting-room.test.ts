// Requests that wait for a message. When one wait fails, only its own caller gets the error.
import { expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { createWaitingRoom } from '../../../emulator/platform/messages/waiting-room.ts'

it('a failed search rejects only its own caller', async () => {
  const room = createWaitingRoom(new ManualClock(epochMillis(0)), 2)
  let isSent = false
  const failing = room.wait(
    () => {
      if (isSent) throw new Error('the search fails')
      return undefined
    },
    { timeoutMillis: 1_000 },
  )
  const other = room.wait(() => (isSent ? 'found' : undefined), { timeoutMillis: 1_000 })
  isSent = true
  room.announce()
  await expect(failing).rejects.toThrow('the search fails')
  expect(await other).toBe('found')
  // Two further requests can wait, because both places are free again.
  await Promise.all([1, 2].map(() => room.wait(() => 'at once', { timeoutMillis: 1 })))
})
