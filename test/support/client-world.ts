// Runs the client library with a real emulator, on a device whose clock the test moves together with the platform clock.
import { expect, vi } from 'vitest'
import type { AuthEvent } from '../../client/auth/events.ts'
import type { Client, ClientOptions } from '../../client/create-client.ts'
import { type AuthWorld, startAuthWorld } from './auth-world.ts'
import { createDevice, type Device, openTab } from './client-device.ts'

export interface ClientWorld extends AuthWorld {
  /** Opens a tab of `device`, or of a new device when absent. */
  open(device?: Device, options?: Partial<ClientOptions>): Client
  /** Moves the clocks of the platform and of the device. */
  pass(device: Device, seconds: number): Promise<void>
  /** The number of requests to a path of the platform so far, without a browser's preflights. */
  asked(path: string): Promise<number>
}

export async function startClientWorld(): Promise<ClientWorld> {
  const world = await startAuthWorld()
  return {
    ...world,
    open: (device = createDevice(), options = {}) =>
      openTab(device, { fetch }, { url: world.at.url, key: world.tenant.anonKey, ...options }),
    async pass(device, seconds) {
      await world.advance(seconds)
      await device.clock.advance(seconds * 1_000)
    },
    async asked(path) {
      const { body } = await world.at.call('GET', '/_emulator/v1/journal?limit=1000')
      const isMeant = ({ method, target }: { method: string; target: string }) =>
        target === path && method !== 'OPTIONS'
      return body.entries.filter(isMeant).length
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** Records the events that a listener of the client receives. */
export function listen({ auth }: Client): AuthEvent[] {
  const heard: AuthEvent[] = []
  auth.onAuthStateChange((event) => heard.push(event))
  return heard
}

/**
 * Returns the result of a call that waits for the device's clock. Moves the clock until the call has ended.
 */
export async function whileTimePasses<Value>(device: Device, call: Promise<Value>): Promise<Value> {
  let isDone = false
  const noted = call.finally(() => {
    isDone = true
  })
  const step = async (): Promise<void> => {
    await device.clock.advance(50)
    expect(isDone).toBe(true)
  }
  await vi.waitFor(step, { timeout: 10_000, interval: 5 })
  return noted
}
