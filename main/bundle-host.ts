// Opens bundles without closing the open workspace. Each bundle runs in an emulator of its own until the app ends. desktop.ts
// creates the host.
import { type BundleEmulator, openBundle } from '../emulator/index.ts'

export interface BundleHost {
  /** Opens a bundle. Returns the inspector's URL of the request that the bundle shows first. @throws {EmulatorError} */
  open(path: string): Promise<string>
  /** Closes the emulators of all bundles and removes their data. */
  close(): Promise<void>
}

const HOST = '127.0.0.1'

export function createBundleHost(): BundleHost {
  const running: BundleEmulator[] = []
  return {
    open: async (path) => {
      const emulator = await openBundle(path)
      try {
        const { port } = await emulator.listen({ port: 0, host: HOST, ownsProcess: true })
        running.push(emulator)
        const { request_id: id } = emulator.bundle
        const screen = id === null ? '' : `requests/${encodeURIComponent(id)}`
        return `http://${HOST}:${port}/_emulator/${screen}`
      } catch (error) {
        await emulator.close()
        throw error
      }
    },
    close: async () => {
      await Promise.all(running.splice(0).map((emulator) => emulator.close()))
    },
  }
}
